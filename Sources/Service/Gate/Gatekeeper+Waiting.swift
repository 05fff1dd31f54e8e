internal import Contract
internal import Tracking

/// Sessions that outlast their connection, and the messages queued for them at the broker.
extension Gatekeeper {
    /// A message on its way to a client.
    public struct Delivery: Sendable {
        public var topic: String
        /// The payload's size in bytes.
        public var size: Int
        public var qos: Int
        /// Whether the client receives it only once, however many of its filters match.
        public var isOnce: Bool

        public init(topic: String, size: Int, qos: Int, isOnce: Bool = false) {
            self.topic = topic
            self.size = size
            self.qos = qos
            self.isOnce = isOnce
        }
    }

    /// A client that was offline when the broker was started.
    public struct Absentee: Sendable {
        public var clientID: String
        public var username: String?

        public init(clientID: String, username: String?) {
            self.clientID = clientID
            self.username = username
        }
    }

    /// Takes a session from the broker's file into memory when a message is to be queued for it.
    ///
    /// - Returns: nil if its id does not permit a persistent session, if it does not belong to a
    ///   logged-in device, or if that cannot be read: then nothing is queued for it.
    func adopt(_ absentee: Absentee, _ client: Client, at now: Duration) -> Session? {
        guard let id = SessionID(absentee.clientID), let username = absentee.username,
            let principal = principal(of: id, username), id.isForLasting(of: principal)
        else { return nil }
        var (since, hash): (Timestamp?, [UInt8]?)
        if case .device(let device, let name) = principal {
            do throws(AccessSourceError) {
                if let user = try rights.user(name) {
                    (since, hash) = (user.since, user.tokenHashes[device])
                    guard hash != nil else { return nil }
                }
            } catch {
                return nil
            }
        }
        let session = Session(
            principal, id, address: "", tokenHash: hash, since: since,
            isContinued: true, mayLast: true, settings.limits, at: now)
        (session.isConnected, session.leftAt) = (false, now)
        session.waiting = Waiting()
        // The account was deleted; the session is remembered, so that this is looked up only once.
        if case .device = principal { session.isRevoked = hash == nil }
        takeUp(session, after: nil)
        remember(session, client)
        if clientsByID[id] == nil { clientsByID[id] = client }
        return session
    }

    private func principal(of id: SessionID, _ username: String) -> Principal? {
        if let principal = Principal(username: username) { return principal }
        guard let name = Name(username), let device = id.device else { return nil }
        return .device(device, of: name)
    }

    func remember(_ session: Session, _ client: Client) {
        sessions[client] = session
        guard let holder = session.holder else { return }
        clientsByHolder[holder, default: []].insert(client)
    }

    /// - Parameter earlier: the session to be resumed; nil for one from before the broker was
    ///   started.
    func takeUp(_ session: Session, after earlier: Session?) {
        let sources = facts(of: session).sources
        if let earlier, earlier.since == session.since {
            // Messages queued for the earlier session are queued for this one.
            session.subscribed = earlier.subscribed
            session.queued = earlier.queued.intersection(sources)
                .union(earlier.queued(of: sources))
        } else {
            // It may have subscribed to any of them.
            session.subscribed = nil
            session.queued = sources
            // It may belong to an earlier owner of the name: that of `earlier`, or from when the
            // broker saved it.
            session.isInherited = earlier != nil || session.since.map(rights.isNew) ?? false
        }
        guard session.isConnected else { return }
        session.waiting = Waiting()
        returning.append(session)
    }

    /// Ends the check of returning clients' queues. When a client reconnects, the broker asks about
    /// all its queued messages together, before anything else except the end and the will of a
    /// connection that is taken over.
    func endReturns() {
        guard !returning.isEmpty else { return }
        for session in returning {
            session.isInherited = false
            guard session.isConnected else { continue }
            session.waiting = nil
            endIfWithoutPlaces(session)
        }
        returning = []
    }

    /// Whether one more message may be queued for a client that is offline, or stay queued for one
    /// that is just reconnecting: the broker then drops refused messages.
    func mayWait(
        _ message: Delivery, _ match: AccessPolicy.TopicMatch, _ payload: () -> [UInt8],
        _ session: Session
    ) -> Bool {
        guard message.qos > 0, session.row.session == .ofDevice else { return true }
        guard session.isConnected || session.mayLast, !session.isInherited else { return false }
        guard session.waiting != nil else { return true }
        let worth = policy.worth(of: match)
        var heading: AlertMessage.Heading?
        if case .alert = worth { heading = self.heading(of: payload()) }
        let mayWait = session.waiting?.take(
            worth, size: message.size, heading: heading, within: settings.limits.waiting)
        guard mayWait == false else { return true }
        if worth != .nothing { refusals.waiting += 1 }
        return false
    }

    /// Returns an alert's heading. An alert is parsed once, however many devices of its group are
    /// offline.
    private func heading(of alert: [UInt8]) -> AlertMessage.Heading? {
        if lastAlert.payload != alert { lastAlert = (alert, AlertMessage.Heading(alert)) }
        return lastAlert.heading
    }

    /// When the user received the name.
    func since(of principal: Principal) -> Timestamp? {
        guard case .device(_, let user) = principal else { return nil }
        do throws(AccessSourceError) { return try rights.user(user)?.since } catch { return nil }
    }
}
