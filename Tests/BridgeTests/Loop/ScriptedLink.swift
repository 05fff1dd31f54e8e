import MQTT

@testable import Bridge

/// A connection of which the test says what comes, and hears what leaves.
final class ScriptedLink: Link {
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

    /// The broker has everything at once.
    func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID {
        lastID += 1
        sent.append(publication)
        if publication.qos != .atMostOnce { events.append(.confirmed(.init(rawValue: lastID))) }
        return .init(rawValue: lastID)
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
