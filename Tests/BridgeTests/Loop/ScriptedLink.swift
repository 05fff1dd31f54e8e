import MQTT

@testable import Bridge

/// A connection whose incoming messages the test provides and whose outgoing messages it records.
final class ScriptedLink: BrokerLink {
    var hasRoom = true
    /// The pauses before sending went on.
    private(set) var pauses: [Duration] = []
    func hasRoom(on lane: Lane) -> Bool { hasRoom }
    var unanswered = 0
    /// The messages that the next round reads.
    var incoming: [Message] = []
    /// The maximum number of messages that the last round would accept.
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

    /// Reports an event that does not answer a message.
    func report(_ event: Connection.Event) { events.append(event) }

    /// How the broker or the library responds to a message.
    enum Answer {
        /// The broker confirms it at once.
        case confirms
        /// The broker refuses it.
        case refuses
        /// The library refuses it.
        case cannotSend
        /// The broker does not respond yet.
        case waits
        /// The broker ends the connection, and answers nothing sent later.
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
        case .waits: waiting.append(id)
        case .ends:
            isOver = true
            events.append(.disconnected(.silence))
        }
        return id
    }

    private var waiting: [Connection.PublishID] = []

    /// Confirms what has had no answer.
    func confirmWaiting() {
        events += waiting.map { .confirmed($0) }
        waiting = []
    }

    /// Whether the socket accepts nothing.
    var isStuck = false
    func flush(atMost patience: Duration?) throws(MQTTError) -> Bool {
        try flush()
        return !isStuck
    }

    /// Called during a flush.
    var whileFlushing: () -> Void = {}
    func flush() throws(MQTTError) { whileFlushing() }
    func pause(for duration: Duration) { pauses.append(duration) }
    func maintain() {}
    func disconnect() {}

    /// Everything sent since the last call.
    func takeSent() -> [Publication] {
        defer { sent = [] }
        return sent
    }
}
