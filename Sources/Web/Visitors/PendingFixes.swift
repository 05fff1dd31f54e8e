internal import Contract
internal import JSON
internal import MQTT

/// The fixes on a visitor connection that wait for confirmation that they are stored.
struct PendingFixes {
    private struct Waiting {
        let fixes: NumberedFixes
        let topic: String
        let deadline: Duration
        let answer: VisitorConnections.Answer<FixOutcome>
        /// The identifier on the current connection.
        var published: Connection.PublishID?
        /// Whether the broker has acknowledged them; an earlier receipt is about other fixes.
        var isConfirmed = false
        var rejected: [Rejection] = []

        /// Receipts cover neither fixes that must be sent again nor those after them.
        func isAnswered(by stored: Int64) -> Bool {
            guard let last = fixes.last else { return false }
            return last <= stored || rejected.contains { !$0.again.isEmpty }
        }
    }

    private var waiting: [Int: Waiting] = [:]
    /// Not yet sent on this connection, in order.
    private var unsent: [Int] = []
    private var number = 0

    var count: Int { waiting.count }

    mutating func add(
        _ fixes: NumberedFixes, to topic: String, until deadline: Duration,
        _ answer: @escaping VisitorConnections.Answer<FixOutcome>
    ) {
        number += 1
        waiting[number] = Waiting(
            fixes: fixes, topic: topic, deadline: deadline, answer: answer)
        unsent.append(number)
    }

    /// - Parameter publish: publishes a payload to a topic.
    mutating func flush(
        _ publish: (String, [UInt8]) throws(MQTTError) -> Connection.PublishID
    ) {
        for number in unsent {
            guard let entry = waiting[number] else { continue }
            do throws(MQTTError) {
                waiting[number]?.published = try publish(entry.topic, entry.fixes.payload)
            } catch {
                waiting.removeValue(forKey: number)?.answer(.failure(.noBroker))
            }
        }
        unsent = []
    }

    /// Called when the connection is lost: all fixes are sent again on the next one. A fix
    /// sent twice counts once.
    mutating func sendAgain() {
        unsent = waiting.keys.sorted()
        for number in unsent {
            waiting[number]?.published = nil
            waiting[number]?.isConfirmed = false
        }
    }

    /// The broker has acknowledged the message.
    mutating func confirm(_ id: Connection.PublishID) {
        for (number, entry) in waiting where entry.published == id {
            waiting[number]?.isConfirmed = true
            guard entry.fixes.last == nil else { continue }
            waiting[number] = nil
            entry.answer(.success(FixOutcome(stored: nil, rejected: entry.rejected)))
        }
    }

    /// The broker refused the message.
    mutating func refuse(_ id: Connection.PublishID) {
        for (number, entry) in waiting where entry.published == id {
            waiting[number] = nil
            entry.answer(.failure(.notTaken))
        }
    }

    /// - Parameter payload: `{"seq":n}`
    mutating func takeReceipt(_ payload: [UInt8]) {
        guard let stored = JSONValue.read(payload)?["seq"]?.integer else { return }
        for (number, entry) in waiting where entry.isConfirmed {
            guard entry.isAnswered(by: stored) else { continue }
            waiting[number] = nil
            entry.answer(.success(FixOutcome(stored: stored, rejected: entry.rejected)))
        }
    }

    /// - Parameter payload: `{topic,problem,seq?,again?}`
    /// - Parameter topic: the topic of the device's fixes; rejections about other topics are
    ///   ignored.
    mutating func takeRejection(_ payload: [UInt8], topic: String?) {
        guard let told = JSONValue.read(payload), case .string(topic) = told["topic"],
            let problem = told["problem"]
        else { return }
        let numbers = (told["seq"]?.elements ?? []) + [told["seq"] ?? .null]
        let refused = Set(numbers.compactMap(\.integer))
        let again = Set((told["again"]?.elements ?? []).compactMap(\.integer))
        for (number, entry) in waiting {
            let own = entry.fixes.numbers.intersection(refused)
            guard !own.isEmpty else { continue }
            waiting[number]?.rejected.append(
                Rejection(
                    problem: problem, numbers: own.sorted(),
                    again: own.intersection(again).sorted()))
        }
        // The message could not be read at all: it is clear which one is meant only if a single one
        // waits.
        guard refused.isEmpty, waiting.count == 1, let only = waiting.first else { return }
        waiting = [:]
        var json = JSONWriter()
        json.value(problem)
        let status = Int(problem["status"]?.integer ?? 422)
        only.value.answer(.failure(Refusal(status: status, problem: json.bytes)))
    }

    mutating func expire(at now: Duration) {
        for (number, entry) in waiting where entry.deadline <= now {
            waiting[number] = nil
            entry.answer(.failure(.noAnswer))
        }
    }

    mutating func fail(_ refusal: Refusal) {
        unsent = []
        let all = waiting
        waiting = [:]
        for entry in all.values { entry.answer(.failure(refusal)) }
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
    /// Those of the numbers that are to be sent again.
    let again: [Int64]
}
