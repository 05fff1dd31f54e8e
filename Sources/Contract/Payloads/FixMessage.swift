internal import JSON
public import Tracking

/// The message that a device publishes on its `fix` topic: one Fix, or an array of them.
public struct FixMessage: Sendable {
    /// The fixes that can be accepted, in their original order.
    public private(set) var fixes: [Fix] = []
    /// What was wrong with the others, one for each kind of problem.
    public private(set) var refusals: [Refusal] = []

    /// The fixes that were refused for one reason.
    public struct Refusal: Sendable {
        public let problem: Problem
        /// The device's numbers of these fixes, which are done with as well …
        public fileprivate(set) var sequences: [Int64] = []
        /// … except for these, which were refused only for their time: perhaps our clock is wrong.
        public fileprivate(set) var mistimed: [Int64] = []
    }

    /// - Throws: `malformed`, `invalid`, `too-large` or `too-old` if nothing in the message can be
    ///   accepted.
    public init(_ payload: [UInt8], receivedAt now: Timestamp, _ limits: FixLimits)
        throws(Problem)
    {
        let value: JSONValue
        do { value = try JSONValue.parse(payload) } catch { throw Problem(error) }
        guard case .array(let elements) = value else {
            do throws(Problem) {
                fixes = [try Fix(value, receivedAt: now, limits)]
            } catch {
                var refusal = Refusal(problem: error)
                refusal.note(value, limits)
                refusals = [refusal]
            }
            return
        }
        guard elements.count <= FixLimits.maximumCount else {
            throw Problem(
                .tooLarge, "A message may have at most \(FixLimits.maximumCount) fixes.")
        }
        var read = Refusals()
        var refused: [Problem.Kind: [JSONValue]] = [:]
        for (index, element) in elements.enumerated() {
            let reading = read.read(index) { prefix, isTold throws(Problem) in
                try Fix(element, receivedAt: now, prefix: prefix, isTold: isTold, limits)
            }
            switch reading {
            case .taken(let fix): fixes.append(fix)
            case .refused(let kind): refused[kind, default: []].append(element)
            }
        }
        refusals = read.problems.map { problem in
            var refusal = Refusal(problem: problem)
            for element in refused[problem.kind] ?? [] { refusal.note(element, limits) }
            return refusal
        }
    }
}

extension FixMessage.Refusal {
    fileprivate mutating func note(_ refused: JSONValue, _ limits: FixLimits) {
        guard let sequence = refused["seq"]?.integer, FixLimits.sequenceRange.contains(sequence)
        else { return }
        sequences.append(sequence)
        if Fix.isRight(refused, byItsOwnTime: limits) { mistimed.append(sequence) }
    }
}

/// The message published on `…/rejected`.
public struct Rejection: Sendable {
    public var topic: String
    public var problem: Problem
    public var sequences: [Int64] = []
    /// The sequence numbers among them that may be sent again.
    public var again: [Int64] = []

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
    public static func payload(storedThrough sequence: Int64) -> [UInt8] {
        JSONWriter.object { json in
            json.key("seq")
            json.number(sequence)
        }
    }
}
