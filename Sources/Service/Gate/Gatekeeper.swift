public import Contract
internal import Limits

/// Decides, inside the broker, who may connect, publish, subscribe and receive.
///
/// Used by the broker's only thread; times are of the broker's monotonic clock. It refuses anything
/// that it cannot determine.
public final class Gatekeeper {
    /// A client at the broker, identified by its address in memory, which is stable while it
    /// exists.
    public typealias Client = UInt

    let settings: GateSettings
    /// Indexed by ``Meters/Kind``; the same for all devices and people.
    let allowances: (ofDevice: [Allowance], ofPerson: [Allowance])
    let policy: AccessPolicy
    let rights: Rights
    var sessions: [Client: Session] = [:]
    var clientsByHolder: [RightsHolder: Set<Client>] = [:]
    var clientsByID: [SessionID: Client] = [:]
    var parties: [ConnectionReport.Party: Int] = [:]
    var orders: [Order] = []
    var refusals = Refusals()
    /// The metrics of the broker's process, by name.
    public var ofProcess: () -> [String: Int64] = { [:] }
    /// Sessions that need not be remembered after the next tick but one.
    var leaving: [(client: Client, session: Session, at: Duration)] = []
    /// Sessions to be disconnected, and when.
    var unwanted: [(session: Session, at: Duration)] = []
    /// The number of current connections, of all clients.
    var connected = 0
    /// The bridge's connections.
    var bridges = 0
    /// Since when it has had one.
    var bridgeSince = Duration.zero
    /// Since when it has had none for long.
    var aloneSince: Duration? = .zero
    /// Since when the rights lack a change that the bridge has asked for.
    var lackingSince: Duration?
    var guests = GuestSlots()
    /// Sessions that have just been resumed: their queued messages are being examined.
    var returning: [Session] = []
    var meters = Meters()
    /// The use of the allowance for new connections, of all clients.
    var arrivals: TokenBucket
    /// The use of the allowance for messages, of all devices.
    var everybodys: TokenBucket
    /// Connections that have overdrawn an allowance, in the order of overdrawing, without
    /// duplicates.
    var debtors: [(client: Client, session: Session)] = []
    /// Bytes queued at the broker for all clients.
    var held = 0
    /// The number of publications: deliveries until the next one are of the same message.
    var publication = 0
    /// The topic of the message now published, and the size of its properties.
    var properties = (topic: "", size: 0)
    /// The client that may receive retained messages now, since it has just subscribed.
    var subscriber: Client?
    var isReportWanted = false
    /// The filters to which the bridge has not subscribed since the broker was started.
    private var unheard: Set<String>
    /// Holders whose rights may have changed since their sessions were last reviewed.
    var unreviewed: Set<RightsHolder> = []
    var nextReview = Duration.zero
    var lastSweep = Duration.zero
    /// Devices that have connected or disconnected since the last report, with their state.
    var changes: [(party: ConnectionReport.Party, isConnected: Bool)] = []
    var lastReport: Duration?
    var saves: SaveSchedule
    var holds = Holds()
    var nextLookAtHolds = Duration.zero
    var haste = Haste.none
    private var complaints = Complaints()
    private var lastTopic: (text: String, match: AccessPolicy.TopicMatch?) = ("", nil)
    /// The last queued alert.
    var lastAlert: (payload: [UInt8], heading: AlertMessage.Heading?) = ([], nil)

    /// - Parameter opening: opens the store without delay, since the broker serves no client during
    ///   the call. It is called again when the store was replaced, or could not be read.
    public init(
        _ settings: GateSettings,
        opening: @escaping () throws(AccessSourceError) -> any AccessSource
    ) {
        self.settings = settings
        allowances = (settings.limits.ofDevice, settings.limits.ofPerson)
        policy = AccessPolicy(settings.topics)
        rights = Rights(opening)
        unheard = settings.awaitsBridge ? Set(settings.topics.inputs) : []
        saves = SaveSchedule(inputs: Set(settings.topics.inputs))
        arrivals = TokenBucket(settings.limits.arrivals, at: .zero)
        everybodys = TokenBucket(settings.limits.everybodysMessages, at: .zero)
    }

    // MARK: Messages

    public enum Verdict: Hashable, Sendable {
        case allowed
        case refused
        /// The connection is closed without an acknowledgement, so the client resends the message.
        case cutOff
    }

    /// - Parameters:
    ///   - size: the payload's size in bytes.
    ///   - objects: the maximum number of JSON objects in the payload; only evaluated if needed.
    ///   - retained: whether the message is to be retained.
    ///   - payload: the message's payload, if it is for the gate.
    public func publish(
        _ topic: String, size: Int, objects: @autoclosure () -> Int, retained: Bool, qos: Int,
        payload: @autoclosure () -> [UInt8], by client: Client, at now: Duration
    ) -> Verdict {
        refresh(at: now)
        properties = ("", 0)
        guard let session = sessions[client] else { return refuse(\.messages) }
        if !isWill(of: session, client) { endReturns() }
        let match = match(of: topic)
        guard isKnown(session, for: match, at: now), !session.isRevoked else { return .cutOff }
        session.flow.note(topic.utf8.count + size)
        let isSample = match.map { policy.isOwnSample($0, session.principal) } ?? false
        guard
            charge(publication: size, isSample ? objects() : 1, to: match, session, client, at: now)
        else {
            return .cutOff
        }
        if isTooLarge(size, session) {
            let problem = Problem.tooLarge(settings.limits.payload)
            if !answer(session, topic, problem, at: now) {
                tell(session, topic, problem, at: now)
            }
            return refuse(\.large)
        }
        if let match, mayPublish(match, retained: retained, session, client) {
            // A member who has just left must not receive it, however recent the last check is.
            if policy.mayFollowRemoval(match) { rights.invalidate() }
            if session.row.isOurs, policy.isRightsCheck(match) {
                return hasChange(payload(), at: now) ? .allowed : .refused
            }
            noteAccepted(session)
            hold(session, client, match, qos: qos, at: now)
            if session.row.isOurs, let lane = policy.committedLane(match) {
                committed(lane, payload(), at: now)
            }
            return .allowed
        }
        tell(
            session, topic,
            Problem(.notAllowed, "You cannot publish on this topic, or not in this way."), at: now)
        return refuse(\.messages)
    }

    /// - Parameters:
    ///   - payload: the message's payload, if it has to be examined.
    ///   - absentee: the client's data at the broker, for sessions from before it was started.
    public func mayReceive(
        _ message: Delivery, _ client: Client, payload: @autoclosure () -> [UInt8],
        absentee: @autoclosure () -> Absentee, at now: Duration
    ) -> Bool {
        refresh(at: now)
        guard let match = match(of: message.topic),
            rights.isTrusted(at: now) || policy.isReport(match),
            let session = sessions[client] ?? adopt(absentee(), client, at: now)
        else { return false }
        let isAllowed = mayReceive(message, match, session, payload, at: now)
        noteReturned(message, session, isRefused: !isAllowed)
        guard isAllowed else { return false }
        note(message, session, client, at: now)
        noteHanded(message, session, at: now)
        return true
    }

    private func mayReceive(
        _ message: Delivery, _ match: AccessPolicy.TopicMatch, _ session: Session,
        _ payload: () -> [UInt8], at now: Duration
    ) -> Bool {
        guard isKnown(session, for: match, at: now) else { return false }
        if session.isRevoked {
            guard session.isConnected, isReply(match, to: session) else { return false }
            cutOff(session, by: now + Gatekeeper.delivery)
        }
        return policy.mayReceive(match, session.principal, facts(of: session, at: match))
            && takes(message, session, at: now)
            && !mentionsErasedUser(message, match, payload, session, at: now)
            && mayWait(message, match, payload, session)
    }

    public func subscribe(
        _ filter: String, qos: Int, by client: Client, at now: Duration
    ) -> Verdict {
        endReturns()
        refresh(at: now)
        subscriber = nil
        guard let session = sessions[client], isKnown(session, at: now), !session.isRevoked
        else { return refuse(\.subscriptions) }
        guard charge(filter: filter, session, client, at: now) else { return .cutOff }
        guard policy.maySubscribe(to: filter, session.principal, facts(of: session))
        else { return refuse(\.subscriptions) }
        subscriber = client
        warnOfAlerts(filter, session, at: now)
        if session.receivesOnlyReplies {
            session.receivesOnlyReplies =
                match(of: filter).map { isReply($0, to: session) } ?? false
        }
        if qos > 0 {
            // Not a device's own messages: it never loses the right to those.
            let sources = policy.sources(in: filter).intersection(facts(of: session).sources)
            noteSubscription(to: sources, session, at: now)
            session.queued = session.queued.union(sources)
            session.subscribed = session.subscribed?.union(sources)
        }
        if session.row.isOurs, filter == settings.topics.string(.connections) {
            isReportWanted = true
        }
        if session.principal == .system(.bridge), qos > 0 {
            unheard.remove(filter)
            saves.bridgeTakes(filter, over: client)
            for lane in TopicRow.Lane.allCases where filter == settings.topics.barrier(lane) {
                holds.bridgeTakesBarriers(of: lane, over: client)
            }
        }
        return .allowed
    }

    /// Whether messages from devices reach the bridge, or are queued for it.
    var isHeard: Bool { unheard.isEmpty }

    // MARK: Time

    /// Whether a client waits for its allowance: then ``tick(at:)`` is to be called every few
    /// milliseconds.
    public var isPausing: Bool { !debtors.isEmpty }

    /// To be called several times per second.
    public func tick(at now: Duration) {
        endReturns()
        refresh(at: now)
        for line in complaints.lines(rights, at: now) { orders.append(line) }
        cutOff(at: now)
        forgetLeaving(at: now)
        forgetAbsent(at: now)
        meters.forgetIdle(at: now)
        settle(at: now)
        if isReportWanted {
            isReportWanted = false
            reportAll()
        }
        reportChanges(at: now)
        if saves.isDue(at: now) { orders.append(.save) }
        settleHolds(at: now)
        if let line = refusals.line(at: now) { orders.append(.log(line)) }
        let paused = debtors.count { $0.session.flow.pausedAt != nil }
        let figures = refusals.report(
            at: now, connected: connected, paused: paused, held: holds.count, others: ofProcess)
        for (name, value) in figures {
            orders.append(
                .retain(
                    topic: settings.topics.string(.metric(name)), payload: Array("\(value)".utf8)))
        }
    }

    // MARK: Topics

    /// Cached, since the same topic is looked up for each subscriber.
    func match(of topic: String) -> AccessPolicy.TopicMatch? {
        // Compared byte by byte, as two different topics can be equal in Unicode.
        if !lastTopic.text.utf8.elementsEqual(topic.utf8) {
            lastTopic = (topic, policy.match(of: topic))
        }
        return lastTopic.match
    }

    private func isReply(_ match: AccessPolicy.TopicMatch, to session: Session) -> Bool {
        guard case .device(let device, let user) = session.principal else { return false }
        return match
            == policy.match(
                of: settings.topics.string(.replies(user, device: device, suffix: "")))
    }

    // MARK: Limits and refusals

    func refuse(_ kind: WritableKeyPath<Refusals, Int>) -> Verdict {
        refusals[keyPath: kind] += 1
        return .refused
    }
}
