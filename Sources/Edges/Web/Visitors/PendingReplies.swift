internal import Contract
internal import MQTT

/// The requests on a visitor connection that wait for their replies.
struct PendingReplies {
    private struct Request {
        let topic: String
        let payload: [UInt8]
        /// The correlation data.
        let key: [UInt8]
        let replies: String
        /// The identifier on the current connection; nil if not yet sent on it.
        var published: Connection.PublishID?
        /// Called when the broker has it.
        var whenTaken: (() -> Void)?
    }

    private var waiting = PendingAnswers<Request, [UInt8]>()

    var count: Int { waiting.count }

    mutating func add(
        _ topic: String, _ payload: [UInt8], replies: String, until deadline: Duration,
        whenTaken: (() -> Void)? = nil, _ answer: @escaping VisitorConnections.Answer<[UInt8]>
    ) {
        var random = SystemRandomNumberGenerator()
        let key = (0..<PendingReplies.keyLength).map { _ in
            UInt8.random(in: 0...255, using: &random)
        }
        waiting.add(
            Request(
                topic: topic, payload: payload, key: key, replies: replies, whenTaken: whenTaken),
            until: deadline, answer)
    }

    /// - Parameter publish: publishes a payload to a topic, with its correlation data and response
    ///   topic.
    mutating func flush(
        _ publish: (String, [UInt8], _ key: [UInt8], _ replies: String) throws(MQTTError)
            -> Connection.PublishID
    ) {
        waiting.answer { request in
            guard request.published == nil else { return nil }
            do throws(MQTTError) {
                request.published = try publish(
                    request.topic, request.payload, request.key, request.replies)
                return nil
            } catch {
                return .failure(.noBroker)
            }
        }
    }

    /// Called when the connection is lost: all requests are resent on the next one. The bridge
    /// recognises already handled requests by their correlation data.
    mutating func sendAgain() {
        waiting.answer { request in
            request.published = nil
            return nil
        }
    }

    /// Records that the broker has the message.
    mutating func confirm(_ id: Connection.PublishID) {
        waiting.answer { request in
            if request.published == id { request.whenTaken?() }
            return nil
        }
    }

    /// Records that the broker refused the message.
    mutating func refuse(_ id: Connection.PublishID) {
        waiting.answer { $0.published == id ? .failure(.notTaken) : nil }
    }

    mutating func take(_ message: Message) {
        guard let key = message.correlationData else { return }
        waiting.answer { $0.key == key ? .success(message.payload) : nil }
    }

    mutating func expire(at now: Duration) { waiting.expire(at: now, .noAnswer) }

    mutating func fail(_ refusal: Refusal) { waiting.answerAll(.failure(refusal)) }

    private static let keyLength = 16
}
