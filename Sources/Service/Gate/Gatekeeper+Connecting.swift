internal import Contract
internal import Limits

extension Gatekeeper {
    /// A client's statements when it connects.
    public struct Introduction: Sendable {
        public var clientID: String
        public var username: String?
        public var password: String?
        public var address: String
        /// Whether it resumes its session; otherwise it begins with a new one.
        public var isContinued: Bool
        /// Whether it may also keep a new session: MQTT 5 states that in a property, which the
        /// broker does not show.
        public var mayKeepNewSession: Bool
        /// The maximum packet size that it accepts, in bytes; nil if unlimited or unknown.
        public var packetMaximum: Int?

        public init(
            clientID: String, username: String?, password: String?, address: String,
            isContinued: Bool, mayKeepNewSession: Bool, packetMaximum: Int? = nil
        ) {
            self.clientID = clientID
            self.username = username
            self.password = password
            self.address = address
            self.isContinued = isContinued
            self.mayKeepNewSession = mayKeepNewSession
            self.packetMaximum = packetMaximum
        }
    }

    /// - Returns: whether the client is accepted; `cutOff`: not now, it should try again.
    public func connect(
        _ introduction: Introduction, as client: Client, at now: Duration
    ) -> Verdict {
        endReturns()
        refresh(at: now)
        if isCheck(introduction.username) { return check(at: now) }
        // The broker has reused the address for another client without a notification; accepted or
        // not, it is not the earlier one.
        if let stale = sessions[client] { remove(stale, client, at: now) }
        // Checked before any lookup, during which the broker serves no other client.
        guard isSystem(introduction) || arrivals.has(1, of: settings.limits.arrivals, at: now)
        else { return turnAway() }
        // The rights are unknown, which is not the client's fault: it should try again.
        guard rights.isTrusted(at: now) || isSystem(introduction) else { return turnAway() }
        // A broker started without its saved sessions does not queue anything for the bridge yet.
        guard isHeard || isSystem(introduction) else { return turnAway() }
        guard let id = SessionID(introduction.clientID), isFree(id, for: introduction.username)
        else { return refuse(\.clientIDs) }
        let identity: Identity?
        do throws(AccessSourceError) {
            identity = try identify(introduction)
        } catch {
            // Programs interpret a refusal as the end of their token.
            return turnAway()
        }
        guard let (principal, hash, payer) = identity else { return refuse(\.connections) }
        let isLasting = id.isForLasting(of: principal)
        guard isLasting || !introduction.isContinued else { return refuse(\.sessions) }
        let network = NetworkAddress(introduction.address)
        let charged = Meters.charged(for: principal, payer, at: network)
        guard isWithinLimits(principal, charged, id) else { return turnAway() }
        let meter = hold(charged, at: now)
        if let meter, !mayConnect(principal, meter, at: now) {
            release(charged)
            return turnAway()
        }
        guard makeRoom(for: principal, at: network, now) else {
            release(charged)
            refusals.guestsPutOff += 1
            return .cutOff
        }
        if meter != nil { _ = arrivals.take(of: settings.limits.arrivals, at: now) }
        let session = Session(
            principal, id, address: introduction.address,
            tokenHash: hash, since: since(of: principal), isContinued: introduction.isContinued,
            mayLast: isLasting && (introduction.isContinued || introduction.mayKeepNewSession),
            settings.limits, at: now)
        (session.meter, session.payer) = (meter, payer)
        session.packetMaximum = introduction.packetMaximum
        add(session, client, at: now)
        // It may have new keys.
        if principal == .system(.bridge) { rights.doubtEnvelopeKey() }
        return .allowed
    }

    private func turnAway() -> Verdict {
        refusals.turnedAway += 1
        return .cutOff
    }

    /// Whether the client claims to be part of the system, which has not been verified yet.
    private func isSystem(_ introduction: Introduction) -> Bool {
        introduction.username.map { Principal.System(username: $0) != nil } ?? false
    }

    // MARK: Meters

    /// - Parameter charged: from the connection's own party upwards.
    /// - Returns: the connection's own meter; nil if it has none.
    private func hold(_ charged: [Meters.Party], at now: Duration) -> Meters.Meter? {
        charged.reversed().reduce(nil) { above, party in
            meters.hold(party, allowances(of: party), above: above, at: now)
        }
    }

    private func allowances(of party: Meters.Party) -> [Allowance] {
        switch party {
        case .principal, .asDevice: allowances.ofDevice
        case .person, .asPerson: allowances.ofPerson
        case .guests: [settings.limits.addressMessages]
        }
    }

    private func mayConnect(_ principal: Principal, _ meter: Meters.Meter, at now: Duration)
        -> Bool
    {
        meter.take(1, principal.row.charge == .address ? .messages : .connections, at: now)
    }

    private func release(_ charged: [Meters.Party]) {
        for party in charged { meters.release(party) }
    }

    // MARK: Identification

    /// The identity of a connecting client.
    ///
    /// - Parameter payer: the device's user, or the maker of the grant; nil for others.
    private typealias Identity = (principal: Principal, tokenHash: [UInt8]?, payer: Name?)

    /// - Returns: nil if the credentials are wrong.
    /// - Throws: if that cannot be determined.
    private func identify(_ introduction: Introduction) throws(AccessSourceError) -> Identity? {
        guard let username = introduction.username else {
            guard introduction.password == nil, let id = ClientID(introduction.clientID)
            else { return nil }
            return (.guest(id), nil, nil)
        }
        guard let password = introduction.password, let token = PrincipalToken(password),
            token.username.utf8.elementsEqual(username.utf8),
            let (hash, payer) = try credentials(of: token.principal), token.matches(hash)
        else { return nil }
        return (token.principal, hash, payer)
    }

    /// The stored hash of the token's secret, and the payer; nil if there is no such token.
    private func credentials(of principal: Principal) throws(AccessSourceError)
        -> (tokenHash: [UInt8], payer: Name?)?
    {
        // Failed attempts must not fill up memory.
        defer { if let holder = principal.holder { forgetIfAbsent(holder) } }
        switch principal {
        case .guest: return nil
        case .device(let device, let user):
            return try rights.user(user)?.tokenHashes[device].map { ($0, user) }
        case .service(let service):
            return try rights.user(service)?.tokenHashes[.serviceProgram].map { ($0, nil) }
        case .bearer(let grant):
            return try rights.access(of: grant).map { ($0.tokenHash, $0.maker) }
        case .system(let system): return try rights.tokenHash(of: system).map { ($0, nil) }
        }
    }

    /// Whether the client may use the id. It is a capability: connecting with it takes over the
    /// session.
    private func isFree(_ id: SessionID, for username: String?) -> Bool {
        if let username, id.belongs(to: username) { return true }
        // A guest's id is used in topics.
        guard !id.isReserved, username != nil || ClientID(id.text) != nil else { return false }
        guard let client = clientsByID[id], let holder = sessions[client] else { return true }
        // Only its will may still be pending.
        guard holder.isConnected else { return true }
        guard let own = holder.username, let username else { return false }
        return own.utf8.elementsEqual(username.utf8)
    }

    /// - Parameter charged: the parties that would be charged for the connection.
    private func isWithinLimits(
        _ principal: Principal, _ charged: [Meters.Party], _ id: SessionID
    ) -> Bool {
        // A connection that is taken over makes room for the next.
        let former = clientsByID[id].flatMap { sessions[$0] }.flatMap { $0.isConnected ? $0 : nil }
        let isWithin = charged.allSatisfy { party in
            guard let limit = connections(of: party) else { return true }
            let own = former?.charged.contains(party) == true ? 1 : 0
            return meters.holders(of: party) - own < limit
        }
        guard isWithin, let holder = principal.holder else { return isWithin }
        let others = clientsByHolder[holder]?.count {
            guard let session = sessions[$0], session.isConnected else { return false }
            return session.clientID != id
        }
        return others ?? 0 < settings.limits.connectionsOfUser
    }

    /// The maximum number of the party's connections; nil if they are counted by ``RightsHolder``,
    /// or belong to guests.
    private func connections(of party: Meters.Party) -> Int? {
        switch party {
        case .principal(let principal):
            principal.holder == nil ? settings.limits.connectionsOfUser : nil
        case .asDevice: settings.limits.connectionsOfUser
        case .asPerson: settings.limits.connectionsOfViewers
        case .person, .guests: nil
        }
    }

    /// - Returns: false if all places for guests are taken by others with no lower priority.
    private func makeRoom(
        for principal: Principal, at network: NetworkAddress, _ now: Duration
    ) -> Bool {
        guard principal.row.charge == .address else { return true }
        switch guests.slot(at: network, settings.limits, at: now) {
        case .free: return true
        case .none: return false
        case .insteadOf(let client):
            guard let session = sessions[client] else { return false }
            refusals.guestsEnded += 1
            // It no longer counts, although the broker is only notified in a moment.
            guests.leave(client, at: session.network)
            orders.append(.cutOff(session.clientID))
            return true
        }
    }

    private func add(_ session: Session, _ client: Client, at now: Duration) {
        remember(session, client)
        let before = clientsByID[session.clientID].flatMap { $0 == client ? nil : $0 }
        let earlier = before.flatMap { sessions[$0] }
        // Its will may still have to be published.
        if let before, let earlier { leaving.append((before, earlier, now)) }
        if session.isContinued { takeUp(session, after: earlier) }
        clientsByID[session.clientID] = client
        if session.isGuest { guests.enter(client, at: session.network, now) }
        noteArrival(session, at: now)
        noteNewSession(session, after: earlier, at: now)
    }

    /// To be called when the connection has ended, before its will is published.
    public func disconnect(_ client: Client, at now: Duration) {
        guard let session = sessions[client], session.isConnected else { return }
        noteDeparture(session, client, at: now)
        session.leftAt = now
        if session.mayLast {
            session.waiting = Waiting()
        } else {
            leaving.append((client, session, now))
        }
    }

    private func noteArrival(_ session: Session, at now: Duration) {
        connected += 1
        noteBridge(session, isConnected: true, at: now)
        guard let party = session.party else { return }
        parties[party, default: 0] += 1
        if parties[party] == 1 { report(party, isConnected: true, at: now) }
    }

    func noteDeparture(_ session: Session, _ client: Client, at now: Duration) {
        session.isConnected = false
        connected -= 1
        noteBridge(session, isConnected: false, at: now)
        saves.bridgeLeaves(client)
        holds.bridgeLeaves(client)
        holds.remove(client)
        endFlow(of: session, at: now)
        release(session.charged)
        if session.isGuest { guests.leave(client, at: session.network) }
        guard let party = session.party, let count = parties[party] else { return }
        parties[party] = count > 1 ? count - 1 : nil
        if count == 1 { report(party, isConnected: false, at: now) }
    }
}
