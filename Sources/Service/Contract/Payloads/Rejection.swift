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

    static let payload = Payload<Rejection>(
        "Rejection",
        .init("topic", .text) { String($0.topic.prefix(maximumTopic)) },
        .init("problem", .object(Problem.payload)) { $0.problem },
        .flag("taken") { $0.isTaken },
        .init("seq", .list(of: .sequence)) { $0.sequences.isEmpty ? nil : $0.sequences },
        .init("again", .list(of: .sequence)) {
            $0.sequences.isEmpty || $0.again.isEmpty ? nil : $0.again
        })

    public var payload: [UInt8] { Rejection.payload.bytes(of: self) }
}

extension WrittenKind where Value == Int64 {
    /// A device's own number of a sample.
    static let sequence = WrittenKind(.integer(FixLimits.sequenceRange)) { $1.number($0) }
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
