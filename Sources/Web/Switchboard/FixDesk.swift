internal import Contract
internal import MQTT

/// A line's fixes that wait for the word that they are stored.
struct FixDesk {
    private struct Waiting {
        /// Nil where the fixes have no numbers: then the broker's word is all there is.
        let last: Int64?
        let deadline: Duration
        let answer: Switchboard.Answer<Receipt>
        var published: Connection.PublishID?
        var rejected: [[UInt8]] = []
    }

    private struct Unsent {
        let topic: String
        let payload: [UInt8]
        let number: Int
    }

    private var waiting: [Int: Waiting] = [:]
    private var unsent: [Unsent] = []
    private var number = 0

    var count: Int { waiting.count }

    mutating func add(
        _ topic: String, _ payload: [UInt8], upTo last: Int64?, until deadline: Duration,
        _ answer: @escaping Switchboard.Answer<Receipt>
    ) {
        number += 1
        waiting[number] = Waiting(last: last, deadline: deadline, answer: answer)
        unsent.append(Unsent(topic: topic, payload: payload, number: number))
    }

    mutating func flush(to connection: Connection) {
        for fix in unsent {
            do throws(MQTTError) {
                waiting[fix.number]?.published = try connection.publish(
                    topic: fix.topic, payload: fix.payload, qos: .atLeastOnce)
            } catch {
                waiting.removeValue(forKey: fix.number)?.answer(.failure(.noBroker))
            }
        }
        unsent = []
    }

    /// The broker has them.
    mutating func confirm(_ id: Connection.PublishID) {
        for (number, fixes) in waiting where fixes.published == id && fixes.last == nil {
            waiting[number] = nil
            fixes.answer(.success(Receipt(stored: nil, rejected: fixes.rejected)))
        }
    }

    /// - Parameter payload: `{"seq":n}`
    mutating func takeReceipt(_ payload: [UInt8]) {
        guard let stored = JSONValue.read(payload)?["seq"]?.integer else { return }
        for (number, fixes) in waiting {
            guard let last = fixes.last, last <= stored else { continue }
            waiting[number] = nil
            fixes.answer(.success(Receipt(stored: stored, rejected: fixes.rejected)))
        }
    }

    /// - Parameter payload: `{topic,problem,seq?}`
    mutating func takeRejection(_ payload: [UInt8]) {
        for (number, fixes) in waiting where fixes.rejected.count < FixDesk.maximumRejections {
            waiting[number]?.rejected.append(payload)
        }
    }

    mutating func expire(at now: Duration) {
        for (number, fixes) in waiting where fixes.deadline <= now {
            waiting[number] = nil
            fixes.answer(.failure(.noAnswer))
        }
    }

    mutating func fail(_ refusal: Refusal) {
        unsent = []
        let all = waiting
        waiting = [:]
        for fixes in all.values { fixes.answer(.failure(refusal)) }
    }

    private static let maximumRejections = 100
}

extension Line {
    func send(
        _ payload: [UInt8], upTo last: Int64?, at now: Duration,
        _ answer: @escaping Switchboard.Answer<Receipt>
    ) {
        guard let topic = topics.fix else {
            let problem = Problem(.notAllowed, "Only a user's device has fixes.")
            return answer(.failure(Refusal(problem)))
        }
        guard mayBeUsed(at: now, orElse: answer) else { return }
        fixes.add(topic, payload, upTo: last, until: now + limits.answer, answer)
        if isConnected, let connection { fixes.flush(to: connection) }
    }
}

extension JSONValue {
    /// Nil for what is not JSON.
    static func read(_ bytes: [UInt8]) -> JSONValue? {
        do throws(JSONError) { return try parse(bytes) } catch { return nil }
    }
}
