internal import Contract
internal import MQTT

/// Makes sure that a broker's gate has the rights that were committed before anything that follows
/// from them is published there: another process may write the file that it reads, on another
/// machine.
final class RightsCheck {
    private let topic: String
    private let connection: any QuestionConnection
    /// The change that the gate does not have yet, as far as is known; nil if it has all.
    private(set) var awaited: Int64?
    private var since: ContinuousClock.Instant?
    /// Whether the gate was asked since then.
    private var wasAsked = false
    /// Whether the connection is lost.
    private var isLost = false
    /// The question that the gate has not answered, and for which change it is.
    private var question: (id: Connection.PublishID, number: Int64)?
    private var askedAt = ContinuousClock.now

    /// How long publications wait for the gate before the operator is notified.
    static let patience = Duration.seconds(1)
    /// How long everything else waits for the answers of gates that have not been behind.
    static let usual = Duration.milliseconds(50)
    private static let pause = Duration.milliseconds(2)
    private static let longPause = Duration.milliseconds(100)

    /// Until the gate has answered, its rights are not known.
    ///
    /// - Parameter number: that of the newest change that is known.
    init(_ topics: TopicSpace, _ connection: any QuestionConnection, awaiting number: Int64) {
        (topic, self.connection) = (topics.rightsCheck, connection)
        (awaited, since) = (number, .now)
    }

    /// Whether the gate has lacked a change for longer than usual.
    var isSlow: Bool { isAwaiting(for: RightsCheck.usual) }
    /// Whether it has lacked one for so long that the operator is notified.
    var isBehind: Bool { isAwaiting(for: RightsCheck.patience) }

    private func isAwaiting(for time: Duration) -> Bool {
        since.map { ContinuousClock.now - $0 >= time } ?? false
    }

    /// Waits for the change of this number, and those before, from now on.
    func await(_ number: Int64) {
        awaited = max(number, awaited ?? number)
        // The gate is not to blame for the time before the first question.
        if !wasAsked { since = .now }
    }

    /// Takes the gate's answer, and asks again, not too often, if it lacks a change.
    func look() throws(MQTTError) {
        guard let awaited else { return }
        if let question {
            guard let answer = try connection.answer(to: question.id) else { return }
            self.question = nil
            if answer, question.number >= awaited {
                return (self.awaited, since, wasAsked) = (nil, nil, false)
            }
        }
        let pause = isBehind ? RightsCheck.longPause : RightsCheck.pause
        if askedAt + pause <= .now { try ask() }
    }

    /// Asks the gate for what is awaited.
    func ask() throws(MQTTError) {
        guard let awaited, !isLost else { return }
        askedAt = .now
        wasAsked = true
        isLost = true
        let id = try connection.send(
            Publication(topic: topic, payload: Array("\(awaited)".utf8), qos: .atLeastOnce))
        question = (id, awaited)
        isLost = false
    }
}

/// Where a question is asked: by a message that is accepted or refused.
protocol QuestionConnection {
    /// Publishes a message of QoS 1 that needs the broker's answer; earlier ones need none any more.
    func send(_ question: Publication) throws(MQTTError) -> Connection.PublishID
    /// - Returns: whether the broker has accepted the message; nil if it has not answered yet.
    func answer(to id: Connection.PublishID) throws(MQTTError) -> Bool?
}
