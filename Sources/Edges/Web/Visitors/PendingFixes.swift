internal import Contract
internal import JSON
internal import MQTT

/// The fixes on a visitor connection that wait for confirmation that they are stored.
struct PendingFixes {
    private struct Sending {
        let fixes: NumberedFixes
        let topic: String
        /// The identifier on the current connection; nil if not yet sent on it.
        var published: Connection.PublishID?
        /// Whether the broker has acknowledged them; an earlier receipt is about other fixes.
        var isConfirmed = false
        var rejected: [Rejection] = []

        /// Whether the outcome of each number is known: on disk, refused, or to be resent.
        func isAnswered(by receipt: Receipted) -> Bool {
            guard isConfirmed, !fixes.numbers.isEmpty else { return false }
            return fixes.numbers.allSatisfy { number in
                receipt.covers(number) || rejected.contains { $0.numbers.contains(number) }
            }
        }
    }

    private var waiting = PendingAnswers<Sending, FixOutcome>()
    /// When a message without numbers was last published. It is answered once the broker has it,
    /// before the bridge reports on it.
    private var unnumberedAt: Duration?

    /// The time after a message without numbers during which a rejection without numbers may be
    /// about it.
    static let unnumberedDoubt = Duration.seconds(20)

    var count: Int { waiting.count }

    mutating func add(
        _ fixes: NumberedFixes, to topic: String, until deadline: Duration,
        _ answer: @escaping VisitorConnections.Answer<FixOutcome>
    ) {
        waiting.add(Sending(fixes: fixes, topic: topic), until: deadline, answer)
    }

    /// - Parameter publish: publishes a payload to a topic.
    mutating func flush(
        at now: Duration, _ publish: (String, [UInt8]) throws(MQTTError) -> Connection.PublishID
    ) {
        var hasUnnumbered = false
        waiting.answer { sending in
            guard sending.published == nil else { return nil }
            if sending.fixes.last == nil { hasUnnumbered = true }
            do throws(MQTTError) {
                sending.published = try publish(sending.topic, sending.fixes.payload)
                return nil
            } catch {
                return .failure(.noBroker)
            }
        }
        if hasUnnumbered { unnumberedAt = now }
    }

    /// Called when the connection is lost: all fixes are resent on the next one. A fix sent twice
    /// counts once.
    mutating func sendAgain() {
        waiting.answer { sending in
            sending.published = nil
            sending.isConfirmed = false
            return nil
        }
    }

    /// Records that the broker has acknowledged the message.
    mutating func confirm(_ id: Connection.PublishID) {
        waiting.answer { sending in
            guard sending.published == id else { return nil }
            sending.isConfirmed = true
            guard sending.fixes.last == nil else { return nil }
            return .success(FixOutcome(stored: nil, rejected: sending.rejected))
        }
    }

    /// Records that the broker refused the message.
    mutating func refuse(_ id: Connection.PublishID) {
        waiting.answer { $0.published == id ? .failure(.notTaken) : nil }
    }

    /// - Parameter payload: `{seq,beyond?}`
    mutating func takeReceipt(_ payload: [UInt8]) {
        guard let receipt = Receipted(payload) else { return }
        waiting.answer { sending in
            guard sending.isAnswered(by: receipt) else { return nil }
            return .success(FixOutcome(stored: receipt.through, rejected: sending.rejected))
        }
    }

    /// - Parameter payload: `{topic,problem,taken?,seq?,again?}`
    /// - Parameter topic: the topic of the device's fixes; rejections about other topics, and about
    ///   accepted fixes, are ignored.
    mutating func takeRejection(_ payload: [UInt8], topic: String?, at now: Duration) {
        guard let told = JSONValue(parsing: payload), case .string(topic) = told["topic"],
            let problem = told["problem"], told["taken"] != .bool(true)
        else { return }
        let numbers = (told["seq"]?.elements ?? []) + [told["seq"] ?? .null]
        let refused = Set(numbers.compactMap(\.integer))
        let again = Set((told["again"]?.elements ?? []).compactMap(\.integer))
        waiting.answer { sending in
            let own = sending.fixes.numbers.intersection(refused)
            guard !own.isEmpty else { return nil }
            sending.rejected.append(
                Rejection(
                    problem: problem, numbers: own.sorted(),
                    again: own.intersection(again).sorted()))
            return nil
        }
        // The message could not be read at all: it is identifiable only if a single one waits, and
        // none without numbers was sent recently. Unanswered fixes are resent, while refused ones
        // are given up.
        guard refused.isEmpty, waiting.count == 1 else { return }
        let isDoubtful = unnumberedAt.map { now - $0 < PendingFixes.unnumberedDoubt } ?? false
        var json = JSONWriter()
        json.value(problem)
        let status = Int(problem["status"]?.integer ?? 422)
        let refusal = Refusal(status: status, problem: json.bytes)
        waiting.answer { sending in
            sending.fixes.last != nil && isDoubtful ? nil : .failure(refusal)
        }
    }

    mutating func expire(at now: Duration) { waiting.expire(at: now, .noAnswer) }

    mutating func fail(_ refusal: Refusal) { waiting.answerAll(.failure(refusal)) }
}

/// The numbers in a receipt.
private struct Receipted {
    let through: Int64
    /// The numbers after a gap, which may still be filled.
    let beyond: [ClosedRange<Int64>]

    /// Nil if it is not a receipt.
    init?(_ payload: [UInt8]) {
        guard let told = JSONValue(parsing: payload), let through = told["seq"]?.integer
        else { return nil }
        self.through = through
        beyond = (told["beyond"]?.elements ?? []).compactMap { range in
            let ends = range.elements.compactMap(\.integer)
            return ends.count == 2 && ends[0] <= ends[1] ? ends[0]...ends[1] : nil
        }
    }

    func covers(_ number: Int64) -> Bool {
        number <= through || beyond.contains { $0.contains(number) }
    }
}

/// The result of sending fixes.
struct FixOutcome: Sendable {
    /// The number up to which all fixes are on disk; nil if the fixes have no numbers.
    var stored: Int64?
    /// Fixes that the bridge rejected.
    var rejected: [Rejection] = []
}

/// The problem, and the fixes that it concerns.
struct Rejection: Sendable {
    let problem: JSONValue
    let numbers: [Int64]
    /// The numbers to be resent.
    let again: [Int64]
}
