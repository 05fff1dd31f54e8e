internal import Contract
internal import Logging
internal import MQTT
internal import Numbers

/// The event loop of all visitors' connections, on one thread.
final class VisitorConnectionLoop {
    private let settings: WebSettings
    private let logger: Logger
    private let start = ContinuousClock.now
    private var connections: [Visitor: VisitorConnection] = [:]
    private var order: [VisitorConnection] = []
    private var nextSecond = Duration.seconds(1)
    private var renderer = Renderer()
    let budget: EventBudget
    private var isEnding = false

    init(_ settings: WebSettings, logger: Logger) {
        self.settings = settings
        self.logger = logger
        budget = EventBudget(settings.limits)
    }

    /// The time since the loop began.
    var now: Duration { ContinuousClock.now - start }

    func existingConnection(of visitor: Visitor) -> VisitorConnection? { connections[visitor] }

    /// - Parameter answer: receives a refusal if there is no room for another connection.
    func withConnection<Value>(
        of visitor: Visitor, orElse answer: VisitorConnections.Answer<Value>,
        _ body: (VisitorConnection) -> Void
    ) {
        guard !isEnding else { return answer(.failure(.noBroker)) }
        if let connection = connections[visitor] { return body(connection) }
        guard connections.count < settings.limits.visitors else { return answer(.failure(.full)) }
        let connection = VisitorConnection(visitor, settings, at: now)
        connections[visitor] = connection
        order.append(connection)
        connection.turn(at: now, &renderer)
        body(connection)
    }

    /// Sleeps until there is something to do, and does it.
    ///
    /// - Returns: statistics, once per second.
    func turn(_ waker: Waker) throws(MQTTError) -> LoopStatistics? {
        // The jobs' publications have to be sent before sleeping.
        for connection in order { connection.flush() }
        let connected = order.filter { $0.connection != nil }
        let milliseconds = max(0, Int32(clamping: (nextSecond - now) / .milliseconds(1)) + 1)
        let ready = try Connection.wait(
            for: connected.compactMap(\.connection), atMost: milliseconds, waker: waker)
        for index in ready {
            connected[index].turn(at: now, &renderer)
            renderer.overruns += budget.relieve()
        }
        guard now >= nextSecond else { return nil }
        nextSecond = now + .seconds(1)
        return everySecond()
    }

    private func everySecond() -> LoopStatistics {
        for connection in order { connection.everySecond(at: now, &renderer) }
        for connection in order where connection.isOver {
            connection.end(.noBroker, at: now)
            connections[connection.visitor] = nil
        }
        order.removeAll(where: \.isOver)
        renderer.overruns += budget.relieve()
        budget.everySecond()
        var figures = LoopStatistics()
        figures.visitors = order.count
        figures.accepted = Set(order.filter(\.isConnected).map(\.visitor))
        figures.connected = figures.accepted.count
        figures.streams = order.reduce(0) { $0 + $1.streamCount }
        figures.waiting = order.reduce(0) { $0 + $1.waitingCount }
        figures.unread = budget.unread
        figures.events = renderer.events
        figures.overruns = renderer.overruns
        return figures
    }

    func endReaders() {
        isEnding = true
        for connection in order { connection.endReaders(at: now) }
    }

    /// Answers all waiting callers.
    func end() {
        for connection in order { connection.end(.noBroker, at: now) }
        connections = [:]
        order = []
    }
}

/// The loop's own statistics.
struct LoopStatistics: Sendable {
    /// Visitors with a connection, and those accepted by the broker.
    var visitors = 0
    var connected = 0
    var accepted: Set<Visitor> = []
    /// Event readers.
    var streams = 0
    /// Requests, fixes and event readers that wait for an answer.
    var waiting = 0
    /// Event bytes waiting for readers.
    var unread = 0
    /// Since the start: events passed to readers, and readers that were disconnected for being too
    /// slow.
    var events = 0
    var overruns = 0
}

/// Converts messages to events; connections that receive the same message share one event.
struct Renderer {
    private struct Key: Hashable {
        let topic: String
        let payload: [UInt8]
        let retain: Bool
    }

    private var known: [Key: Event] = [:]
    var events = 0
    var overruns = 0

    mutating func event(of message: Message) -> Event {
        let key = Key(topic: message.topic, payload: message.payload, retain: message.retain)
        if let event = known[key] { return event }
        if known.count >= Renderer.maximum { known.removeAll(keepingCapacity: true) }
        let event = Event(message)
        known[key] = event
        return event
    }

    private static let maximum = 128
}
