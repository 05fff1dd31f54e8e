internal import Contract
internal import MQTT

/// A connection besides those of the bridge's work: on them nothing can be sent without also
/// acknowledging what was received.
final class SideConnection: CallConnection, QuestionConnection {
    private let connection: Connection
    private let status: String
    private var messages: [Message] = []
    private var question: Connection.PublishID?
    private var answer: Bool?
    /// The last status that was published since the last time, by this bridge or another.
    private var statusSeen: [UInt8]?

    /// The maximum number of messages kept.
    private static let most = 10_000

    /// If the broker refuses the subscriptions, nothing is received.
    ///
    /// - Throws: if the broker cannot be reached.
    init(_ options: ConnectionOptions, _ topics: TopicSpace) throws(MQTTError) {
        connection = try Connection(options)
        status = topics.string(.systemStatus)
        try connection.open()
        try connection.subscribe(
            to: [topics.calls, status], qos: .atMostOnce, withRetained: false)
        try connection.release()
    }

    func take() throws(MQTTError) -> [Message] {
        try look()
        connection.maintain()
        defer { messages = [] }
        return messages
    }

    func takeStatus() -> [UInt8]? {
        defer { statusSeen = nil }
        return statusSeen
    }

    func publish(_ publications: [Publication]) throws(MQTTError) {
        for publication in publications { _ = try connection.send(publication) }
        try connection.release()
    }

    func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID {
        let id = try connection.send(publication)
        (question, answer) = (id, nil)
        try connection.release()
        return id
    }

    func answer(to id: Connection.PublishID) throws(MQTTError) -> Bool? {
        try look()
        return id == question ? answer : nil
    }

    private func look() throws(MQTTError) {
        try connection.wait(atMost: 0)
        for message in connection.receive(atMost: SideConnection.most) {
            if message.topic == status {
                statusSeen = message.payload
            } else if messages.count < SideConnection.most {
                messages.append(message)
            }
        }
        try connection.release()
        for event in connection.takeEvents() {
            switch event {
            case .confirmed(let id): if id == question { answer = true }
            case .refused(let id): if id == question { answer = false }
            case .disconnected(let error): throw error
            case .connected, .subscribed: break
            }
        }
    }
}
