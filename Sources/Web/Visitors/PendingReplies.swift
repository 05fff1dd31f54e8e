internal import Contract
internal import MQTT

/// The requests on a visitor connection that wait for their replies.
struct PendingReplies {
    private struct Waiting {
        let topic: String
        let payload: [UInt8]
        let replies: String
        let deadline: Duration
        let answer: VisitorConnections.Answer<[UInt8]>
        /// The identifier on the current connection.
        var published: Connection.PublishID?
    }

    /// Keyed by correlation data.
    private var waiting: [[UInt8]: Waiting] = [:]
    /// Not yet sent on this connection, in order.
    private var unsent: [[UInt8]] = []

    var count: Int { waiting.count }

    mutating func add(
        _ topic: String, _ payload: [UInt8], replies: String, until deadline: Duration,
        _ answer: @escaping VisitorConnections.Answer<[UInt8]>
    ) {
        var random = SystemRandomNumberGenerator()
        let key = (0..<PendingReplies.keyLength).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        waiting[key] = Waiting(
            topic: topic, payload: payload, replies: replies, deadline: deadline, answer: answer)
        unsent.append(key)
    }

    /// - Parameter publish: publishes a payload to a topic, with its correlation data and response
    ///   topic.
    mutating func flush(
        _ publish: (String, [UInt8], _ key: [UInt8], _ replies: String) throws(MQTTError)
            -> Connection.PublishID
    ) {
        for key in unsent {
            guard let request = waiting[key] else { continue }
            do throws(MQTTError) {
                waiting[key]?.published = try publish(
                    request.topic, request.payload, key, request.replies)
            } catch {
                waiting.removeValue(forKey: key)?.answer(.failure(.noBroker))
            }
        }
        unsent = []
    }

    /// Called when the connection is lost: all requests are sent again on the next one. The bridge
    /// recognises those that it has already handled by their correlation data.
    mutating func askAgain() {
        unsent = Array(waiting.keys)
        for key in unsent { waiting[key]?.published = nil }
    }

    /// The broker refused the message.
    mutating func refuse(_ id: Connection.PublishID) {
        for (key, request) in waiting where request.published == id {
            waiting[key] = nil
            request.answer(.failure(.notTaken))
        }
    }

    mutating func take(_ message: Message) {
        guard let key = message.correlationData else { return }
        waiting.removeValue(forKey: key)?.answer(.success(message.payload))
    }

    mutating func expire(at now: Duration) {
        for (key, request) in waiting where request.deadline <= now {
            waiting[key] = nil
            request.answer(.failure(.noAnswer))
        }
    }

    mutating func fail(_ refusal: Refusal) {
        unsent = []
        let all = waiting
        waiting = [:]
        for request in all.values { request.answer(.failure(refusal)) }
    }

    private static let keyLength = 16
}
