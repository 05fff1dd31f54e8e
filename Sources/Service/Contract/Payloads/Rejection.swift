internal import JSON

/// The message published on `…/rejected`.
public struct Rejection: Sendable {
    public var topic: String
    public var problem: Problem
    public var sequences: [Int64] = []
    /// The sequence numbers among them that may be resent.
    public var again: [Int64] = []
    /// Whether the problem concerns only fields, and the rest was accepted without them.
    public var isTaken = false

    /// The number of the topic's characters that are repeated; the contract's topics are shorter.
    private static let maximumTopic = 256

    public init(
        topic: String, problem: Problem, sequences: [Int64] = [], again: [Int64] = []
    ) {
        self.topic = topic
        self.problem = problem
        self.sequences = sequences
        self.again = again
    }

    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("topic")
            json.string(String(topic.prefix(Rejection.maximumTopic)))
            json.key("problem")
            json.problem(problem)
            if isTaken {
                json.key("taken")
                json.bool(true)
            }
            guard !sequences.isEmpty else { return }
            json.key("seq")
            json.array(sequences) { $0.number($1) }
            guard !again.isEmpty else { return }
            json.key("again")
            json.array(again) { $0.number($1) }
        }
    }
}

/// The message published on `…/stored`.
public enum Receipt {
    /// - Parameters:
    ///   - sequence: -1 if number 0 is to be resent, and so nothing is covered.
    ///   - beyond: the final numbers after a gap.
    public static func payload(
        storedThrough sequence: Int64, beyond: [ClosedRange<Int64>] = []
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.key("seq")
            json.number(sequence)
            guard !beyond.isEmpty else { return }
            json.key("beyond")
            json.array(beyond) { json, range in
                json.array([range.lowerBound, range.upperBound]) { $0.number($1) }
            }
        }
    }
}
