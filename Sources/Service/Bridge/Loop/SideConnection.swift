internal import Contract
internal import MQTT

/// A connection besides those of the bridge's work: on them nothing can be sent without also
/// acknowledging what was received.
final class SideConnection {
    private let connection: Connection
    private var messages: [Message] = []
    private var answers: [Connection.PublishID: Bool] = [:]

    /// - Parameter filter: of the messages to receive. If the broker refuses it, there are none.
    /// - Throws: if the broker cannot be reached.
    init(_ options: ConnectionOptions, to filter: String) throws(MQTTError) {
        connection = try Connection(options)
        try connection.open()
        try connection.subscribe(to: [filter], qos: .atMostOnce, withRetained: false)
        try connection.release()
    }

    /// The maximum number of messages taken at once.
    private static let most = 10_000

    /// Returns the messages received since the last time, without waiting.
    func take() throws(MQTTError) -> [Message] {
        try look(atMost: 0)
        connection.maintain()
        defer { messages = [] }
        return messages
    }

    func say(_ publications: [Publication]) throws(MQTTError) {
        for publication in publications { _ = try connection.send(publication) }
        try connection.flush()
    }

    /// Publishes a message of QoS 1, and waits for the broker's answer.
    ///
    /// - Returns: whether it was accepted; nil if there is no answer in time.
    func isAccepted(_ publication: Publication, within time: Duration) throws(MQTTError) -> Bool? {
        answers = [:]
        let id = try connection.send(publication)
        try connection.flush()
        let end = ContinuousClock.now + time
        while answers[id] == nil, ContinuousClock.now < end { try look(atMost: 10) }
        return answers[id]
    }

    private func look(atMost pause: Int32) throws(MQTTError) {
        try connection.wait(atMost: pause)
        messages += connection.receive(atMost: SideConnection.most)
        try connection.release()
        for event in connection.takeEvents() {
            switch event {
            case .confirmed(let id): answers[id] = true
            case .refused(let id): answers[id] = false
            case .disconnected(let error): throw error
            case .connected, .subscribed: break
            }
        }
    }
}
