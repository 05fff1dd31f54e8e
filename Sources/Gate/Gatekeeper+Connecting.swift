internal import Contract

extension Gatekeeper {
    /// What a client says of itself.
    public struct Introduction: Sendable {
        public var clientID: String
        public var username: String?
        public var password: String?
        public var address: String
        public var isPersistent: Bool

        public init(
            clientID: String, username: String?, password: String?, address: String,
            isPersistent: Bool
        ) {
            self.clientID = clientID
            self.username = username
            self.password = password
            self.address = address
            self.isPersistent = isPersistent
        }
    }

    /// - Returns: whether the client may come in.
    public func connect(
        _ introduction: Introduction, as client: Client, at now: Duration
    ) -> Bool {
        refresh(at: now)
        guard rights.isTrusted(at: now), let id = ClientID(introduction.clientID),
            let (principal, hash) = identify(introduction, id),
            isFree(id, for: introduction.username),
            isWithinLimits(principal, introduction.address)
        else { return refuse(\.connections) == .allowed }
        if case .guest = principal, introduction.isPersistent {
            return refuse(\.connections) == .allowed
        }
        let session = Session(
            principal, id, username: introduction.username, address: introduction.address,
            tokenHash: hash, isPersistent: introduction.isPersistent, settings.limits, at: now)
        add(session, client, at: now)
        return true
    }

    private func identify(_ introduction: Introduction, _ id: ClientID)
        -> (Principal, tokenHash: [UInt8]?)?
    {
        guard let username = introduction.username else {
            return introduction.password == nil && id.owner == nil ? (.guest(id), nil) : nil
        }
        guard let password = introduction.password else { return nil }
        if let system = Principal.System(rawValue: username) {
            guard let token = SystemToken(password), token.principal == system,
                let hash = rights.tokenHash(of: system), token.matches(hash)
            else { return nil }
            return (.system(system), hash)
        }
        guard let name = Name(username), let token = DeviceToken(password), token.user == name,
            let hash = rights.user(name)?.tokenHashes[token.device], token.matches(hash)
        else { return nil }
        return (.device(token.device, of: name), hash)
    }

    /// A client id is a capability: who connects with it takes the session over.
    private func isFree(_ id: ClientID, for username: String?) -> Bool {
        if let owner = id.owner {
            return username.map { owner.utf8.elementsEqual($0.utf8) } ?? false
        }
        guard let client = clientsByID[id], let holder = sessions[client] else { return true }
        guard holder.isConnected || holder.isPersistent else { return true }
        return holder.username != nil && holder.username == username
    }

    private func isWithinLimits(_ principal: Principal, _ address: String) -> Bool {
        switch principal {
        case .system, .absent, .service: return true
        case .device(_, let user):
            let connected = clientsByUser[user]?.count { sessions[$0]?.isConnected == true } ?? 0
            return connected < settings.limits.connectionsOfUser
        case .guest:
            return guests.values.reduce(0, +) < settings.limits.guests
                && guests[address, default: 0] < settings.limits.guestsOfAddress
        }
    }

    private func add(_ session: Session, _ client: Client, at now: Duration) {
        if let stale = sessions[client] { remove(stale, client) }
        sessions[client] = session
        if case .device(_, let user) = session.principal {
            clientsByUser[user, default: []].insert(client)
        }
        let groups = facts(of: session).groups
        if let before = clientsByID[session.clientID], before != client,
            let earlier = sessions[before]
        {
            // It may have a will that is to be published still.
            leaving.append((before, earlier, now))
            // What waited for it waits for its successor.
            if session.isPersistent {
                session.queuedGroups = earlier.queuedGroups.intersection(groups)
            }
        } else if session.isPersistent {
            // From before the broker was started: it may have subscribed to any of them.
            session.queuedGroups = groups
        }
        clientsByID[session.clientID] = client
        noteArrival(session)
    }

    /// The connection ended. A will comes after this.
    public func disconnect(_ client: Client, at now: Duration) {
        guard let session = sessions[client], session.isConnected else { return }
        noteDeparture(session)
        if !session.isPersistent { leaving.append((client, session, now)) }
    }

    private func noteArrival(_ session: Session) {
        if session.isGuest { guests[session.address, default: 0] += 1 }
        guard let party = session.party else { return }
        parties[party, default: 0] += 1
        if parties[party] == 1 { report(.connected(party)) }
    }

    private func noteDeparture(_ session: Session) {
        session.isConnected = false
        if session.isGuest, let count = guests[session.address] {
            guests[session.address] = count > 1 ? count - 1 : nil
        }
        guard let party = session.party, let count = parties[party] else { return }
        parties[party] = count > 1 ? count - 1 : nil
        if count == 1 { report(.disconnected(party)) }
    }

    // MARK: Forgetting

    func forgetLeaving(at now: Duration) {
        while let first = leaving.first, now - first.at >= Gatekeeper.memoryForWills {
            leaving.removeFirst()
            guard sessions[first.client] === first.session, !first.session.isConnected else {
                continue
            }
            remove(first.session, first.client)
        }
    }

    private static let memoryForWills = Duration.seconds(1)

    private func remove(_ session: Session, _ client: Client) {
        // The broker gave the address to another client without a word.
        if session.isConnected { noteDeparture(session) }
        sessions[client] = nil
        if clientsByID[session.clientID] == client { clientsByID[session.clientID] = nil }
        guard case .device(_, let user) = session.principal else { return }
        clientsByUser[user]?.remove(client)
        if clientsByUser[user]?.isEmpty == true {
            clientsByUser[user] = nil
            rights.forget(user)
        }
    }

    // MARK: Reporting

    private func report(_ report: ConnectionReport) {
        orders.append(
            .publish(topic: settings.topics.string(.connections), payload: report.payload))
    }

    func reportAll() {
        let all = Array(parties.keys)
        var start = 0
        repeat {
            let end = min(start + ConnectionReport.pageLength, all.count)
            report(.all(Array(all[start..<end]), isFirst: start == 0, isLast: end == all.count))
            start = end
        } while start < all.count
    }
}
