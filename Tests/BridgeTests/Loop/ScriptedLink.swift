import MQTT

@testable import Bridge

/// A connection of which the test says what comes, and hears what leaves.
final class ScriptedLink: BrokerLink {
    var hasRoom = true
    /// How long it was waited before sending went on.
    private(set) var pauses: [Duration] = []
    func hasRoom(on lane: Lane) -> Bool { hasRoom }
    var unanswered = 0
    /// What the next round reads.
    var incoming: [Message] = []
    /// How many messages the last round was ready to take.
    private(set) var lastLimit = 0
    private(set) var sent: [Publication] = []
    private var events: [Connection.Event] = []
    private var lastID: Int32 = 0

    func receive(atMost limit: Int) -> [Message] {
        defer { incoming.removeFirst(min(limit, incoming.count)) }
        lastLimit = limit
        return Array(incoming.prefix(limit))
    }

    func takeEvents() -> [Connection.Event] {
        defer { events = [] }
        return events
    }

    /// What the broker, or the library, does with a message.
    enum Answer {
        /// The broker has it at once.
        case confirms
        /// The broker says no.
        case refuses
        /// The library says no.
        case cannotSend
        /// The broker ends the connection, and answers nothing that comes later.
        case ends
    }
    var answer: (Publication) -> Answer = { _ in .confirms }
    private var isOver = false

    func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID {
        let answer = answer(publication)
        if case .cannotSend = answer { throw MQTTError(.publish, code: 25) }
        lastID += 1
        sent.append(publication)
        let id = Connection.PublishID(rawValue: lastID)
        guard publication.qos != .atMostOnce, !isOver else { return id }
        switch answer {
        case .confirms, .cannotSend: events.append(.confirmed(id))
        case .refuses: events.append(.refused(id))
        case .ends:
            isOver = true
            events.append(.disconnected(.silence))
        }
        return id
    }

    /// What happens meanwhile.
    var whileFlushing: () -> Void = {}
    func flush() throws(MQTTError) { whileFlushing() }
    func pause(for duration: Duration) { pauses.append(duration) }
    func maintain() {}
    func disconnect() {}

    /// Everything that left since the last call.
    func takeSent() -> [Publication] {
        defer { sent = [] }
        return sent
    }
}
