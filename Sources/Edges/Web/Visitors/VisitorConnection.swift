internal import Contract
internal import Limits
internal import MQTT

/// One visitor's connection to the broker, and everything that uses it. Confined to the loop's
/// thread.
final class VisitorConnection {
    enum State {
        case connecting(since: Duration)
        case connected
        /// Waiting before the next attempt.
        case waiting(until: Duration)
        /// The broker refused the visitor's credentials.
        case refused
        case closed
    }

    let visitor: Visitor
    let limits: WebSettings.Limits
    let topics: VisitorTopics
    /// Distinguishes it from earlier connections of the same visitor.
    let epoch: UInt64
    private let options: ConnectionOptions

    private(set) var connection: Connection?
    private(set) var state: State
    private var backoff: Backoff
    var connectedWaiters: [VisitorConnections.Answer<Void>] = []
    var lastUsed: Duration

    var requests = PendingReplies()
    var fixes = PendingFixes()
    var eventSubscriptions: EventSubscriptions
    /// Whether the broker has ever accepted the visitor.
    private(set) var wasAccepted = false
    /// Only used by the connections of the operator and of the monitoring account.
    var metrics = MetricReadings()
    var hadReader = false
    var pace = SubscriptionPace()

    init(_ visitor: Visitor, _ settings: WebSettings, at now: Duration) {
        var random = SystemRandomNumberGenerator()
        self.visitor = visitor
        limits = visitor == .spectators ? settings.limits.ofSpectators : settings.limits
        epoch = random.next() >> 20
        // Many may wait for a guest connection, and there is no token that could be wrong.
        backoff = Backoff(
            from: .seconds(1), to: visitor.credentials == nil ? .seconds(4) : .seconds(8))
        let suffix = String(random.next(), radix: 36)
        topics = VisitorTopics(visitor, settings.topics, clientID: visitor.clientID(suffix))
        eventSubscriptions = EventSubscriptions(
            epoch: epoch, limits, isForAnybody: visitor == .spectators)
        var options = ConnectionOptions(
            host: settings.broker.host, port: settings.broker.port,
            clientID: visitor.clientID(suffix))
        options.username = visitor.credentials?.username
        options.password = visitor.credentials?.password
        options.tls = settings.broker.tls
        self.options = options
        state = .waiting(until: now)
        lastUsed = now
    }

    /// The number of failures since it was last connected.
    var failures: Int { backoff.failures }
    var isConnected: Bool { if case .connected = state { true } else { false } }
    var streamCount: Int { eventSubscriptions.readers.count }
    var waitingCount: Int {
        requests.count + fixes.count + eventSubscriptions.openings.count + metrics.count
    }

    /// Whether the loop may discard it.
    var isOver: Bool {
        switch state {
        case .refused, .closed: true
        case .connecting, .connected, .waiting: false
        }
    }

    // MARK: Life cycle

    /// Reads received messages, and connects if that is due.
    func turn(at now: Duration, _ renderer: inout Renderer) {
        if case .waiting(let until) = state, now >= until { connect(at: now) }
        guard let connection else { return }
        let messages = connection.receive(atMost: VisitorConnection.batch)
        let events = connection.takeEvents()
        // If the connection was lost, that is the last event; earlier ones still count.
        for event in events where !event.isEnd { note(event, at: now) }
        for message in messages { take(message, at: now, &renderer) }
        for event in events where event.isEnd { note(event, at: now) }
        flush()
    }

    func everySecond(at now: Duration, _ renderer: inout Renderer) {
        connection?.maintain()
        turn(at: now, &renderer)
        if case .connecting(let since) = state, now - since > limits.answer {
            lose(at: now, .noBroker)
        }
        requests.expire(at: now)
        fixes.expire(at: now)
        eventSubscriptions.expire(at: now)
        metrics.expire(at: now, isVerified: wasAccepted)
        eventSubscriptions.beat(at: now)
        if isConnected {
            subscribeMore(at: now)
            // The readers do not control the connection's own topics.
            let unused = eventSubscriptions.takeUnused(at: now).filter { !topics.own.contains($0) }
            for filter in unused { unsubscribe(filter) }
        }
        if streamCount > 0 || waitingCount > 0 { lastUsed = max(lastUsed, now) }
        if now - lastUsed > idle { close(at: now) }
    }

    /// The time that it stays open unused: longer for the monitoring account, since monitors come
    /// back, and shorter for a closed page, since others see who is connected.
    private var idle: Duration {
        switch visitor {
        case .health: limits.idleOfMonitors
        case _ where visitor.system != nil: limits.idleOfMonitors
        case .device where hadReader: limits.leaving
        default: limits.idle
        }
    }

    /// Sends queued publications.
    func flush() {
        guard let connection else { return }
        // A failure is also reported as an event.
        do throws(MQTTError) { try connection.release() } catch {}
    }

    /// Answers all waiting callers with a refusal; the connection cannot be used afterwards.
    func end(_ refusal: Refusal, at now: Duration) {
        fail(refusal, at: now)
        eventSubscriptions.end()
        close(at: now)
    }

    func endReaders(at now: Duration) {
        eventSubscriptions.fail(.noBroker, at: now)
        eventSubscriptions.end()
    }

    private func close(at now: Duration) {
        connection?.disconnect()
        flush()
        connection = nil
        if !isOver { state = .closed }
        fail(.noBroker, at: now)
    }

    private func fail(_ refusal: Refusal, at now: Duration) {
        let waiters = connectedWaiters
        connectedWaiters = []
        for answer in waiters { answer(.failure(refusal)) }
        requests.fail(refusal)
        fixes.fail(refusal)
        metrics.fail(refusal, isVerified: wasAccepted)
        eventSubscriptions.fail(refusal, at: now)
    }

    // MARK: The connection

    private func connect(at now: Duration) {
        do throws(MQTTError) {
            let connection = try Connection(options)
            try connection.connect()
            self.connection = connection
            state = .connecting(since: now)
        } catch {
            lose(at: now, .noBroker)
        }
    }

    private func note(_ event: Connection.Event, at now: Duration) {
        switch event {
        case .connected: begin(at: now)
        case .disconnected(let error):
            // A guest has shown no credentials that could be wrong.
            if error.refusesCredentials, visitor.credentials != nil {
                state = .refused
                end(.notLoggedIn, at: now)
            } else {
                lose(at: now, .noBroker)
            }
        case .confirmed(let id):
            fixes.confirm(id)
            if visitor == .health { requests.confirm(id) }
        case .refused(let id):
            fixes.refuse(id)
            requests.refuse(id)
        case .subscribed(let id, let granted):
            let again = eventSubscriptions.answered(id, granted: granted, at: now)
            subscribe(again, from: nil, at: now)
        }
    }

    private func begin(at now: Duration) {
        state = .connected
        wasAccepted = true
        backoff.reset()
        lastUsed = max(lastUsed, now)
        // Its own topics first, as replies arrive there.
        let wanted = eventSubscriptions.reopen()
        pace.begin(limits, at: now)
        metrics.begin(at: now)
        for filter in topics.own { subscribeOwn(filter) }
        subscribe(wanted, from: nil, at: now)
        let waiters = connectedWaiters
        connectedWaiters = []
        for answer in waiters { answer(.success(())) }
        publishPending(at: now)
    }

    /// Publishes everything that has not been published on this connection yet.
    func publishPending(at now: Duration) {
        guard isConnected, let connection else { return }
        requests.flush { topic, payload, key, replies throws(MQTTError) in
            try connection.publish(
                topic: topic, payload: payload, qos: .atLeastOnce, correlationData: key,
                responseTopic: replies)
        }
        fixes.flush(at: now) { topic, payload throws(MQTTError) in
            try connection.publish(topic: topic, payload: payload, qos: .atLeastOnce)
        }
    }

    private func lose(at now: Duration, _ refusal: Refusal) {
        guard !isOver else { return }
        connection = nil
        if failures == 0, case .device = visitor {
            // The gate closes connections when rights change: pending requests are resent, not
            // failed.
            requests.sendAgain()
            fixes.sendAgain()
        } else {
            fail(refusal, at: now)
        }
        // Spreads out reconnections.
        state = .waiting(until: now + backoff.next() * Double.random(in: 0.5...1.5))
    }

    /// - Parameters:
    ///   - address: the address that requests it; nil: none in particular.
    ///   - withRetained: whether to receive retained messages.
    func subscribe(
        _ filters: [String], from address: NetworkAddress?, withRetained: Bool = true,
        at now: Duration
    ) {
        guard visitor == .spectators else {
            for filter in filters { subscribeNow(filter, withRetained: withRetained, at: now) }
            return
        }
        for filter in filters where eventSubscriptions.ask(filter) {
            pace.add(filter, from: address)
        }
        subscribeMore(at: now)
    }

    /// Subscribes as far as the gate permits on the connection that all spectators share.
    private func subscribeMore(at now: Duration) {
        while let filter = pace.next(limits, at: now, { eventSubscriptions.isStillWanted($0) }) {
            subscribeNow(filter, withRetained: true, at: now)
        }
    }

    /// Whether an address may request this many filters that are not subscribed yet.
    func maySubscribe(to filters: [String], from address: NetworkAddress, at now: Duration) -> Bool
    {
        guard visitor == .spectators else { return true }
        let new = filters.count { eventSubscriptions.filters[$0] == nil }
        return new == 0 || pace.take(new, of: address, limits, at: now)
    }

    private func subscribeNow(_ filter: String, withRetained: Bool, at now: Duration) {
        do throws(MQTTError) {
            for id in try connection?.subscribe(to: [filter], withRetained: withRetained) ?? [] {
                eventSubscriptions.expectAnswer(id, about: filter)
            }
        } catch {
            eventSubscriptions.refuse(filter, at: now)
        }
    }

    private func subscribeOwn(_ filter: String) {
        do throws(MQTTError) {
            try connection?.subscribe(to: [filter])
        } catch {
            // The connection is lost, which is reported as an event.
        }
    }

    private func unsubscribe(_ filter: String) {
        do throws(MQTTError) { try connection?.unsubscribe(from: [filter]) } catch {}
    }

    private func take(_ message: Message, at now: Duration, _ renderer: inout Renderer) {
        switch message.topic {
        case topics.replies: return requests.take(message)
        case topics.stored: fixes.takeReceipt(message.payload)
        case topics.rejected: fixes.takeRejection(message.payload, topic: topics.fix, at: now)
        default: if visitor.system != nil { metrics.take(message, topics.space, at: now) }
        }
        eventSubscriptions.take(message, at: now, &renderer)
    }

    /// The maximum number of messages read at a time.
    private static let batch = 200
}

extension Connection.Event {
    fileprivate var isEnd: Bool { if case .disconnected = self { true } else { false } }
}
