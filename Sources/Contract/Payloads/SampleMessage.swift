public import JSON
public import Tracking

/// What devices measure and send: one, or an array of them, in a message.
public protocol DeviceSample: Sendable {
    /// What many of them are called, in a sentence.
    static var plural: String { get }

    /// - Parameters:
    ///   - isTold: whether the reasons for a refusal are to be reported.
    /// - Throws: `invalid` with every field that cannot be accepted, or `too-old`.
    init(
        _ value: JSONValue, receivedAt now: Timestamp, prefix: String, isTold: Bool,
        _ limits: FixLimits
    ) throws(Problem)

    /// When it was taken, if it says so.
    static func time(of value: JSONValue) -> Timestamp?
}

/// The message that a device publishes on its `fix` topic: one Fix, or an array of them.
public typealias FixMessage = SampleMessage<Fix>

/// One sample of a device, or an array of them.
public struct SampleMessage<Sample: DeviceSample>: Sendable {
    /// The samples that can be accepted, in their original order.
    public private(set) var samples: [Sample] = []
    /// What was wrong with the others, one for each kind of problem.
    public private(set) var refusals: [Refusal] = []

    /// The samples that were refused for one reason.
    public struct Refusal: Sendable {
        public let problem: Problem
        /// The device's numbers of these samples, which are done with as well …
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
                samples = [
                    try Sample(value, receivedAt: now, prefix: "", isTold: true, limits)
                ]
            } catch {
                var refusal = Refusal(problem: error)
                refusal.note(value, limits)
                refusals = [refusal]
            }
            return
        }
        guard elements.count <= FixLimits.maximumCount else {
            throw Problem(
                .tooLarge,
                "A message may have at most \(FixLimits.maximumCount) \(Sample.plural).")
        }
        var read = Refusals()
        var refused: [Problem.Kind: [JSONValue]] = [:]
        for (index, element) in elements.enumerated() {
            let reading = read.read(index) { prefix, isTold throws(Problem) in
                try Sample(element, receivedAt: now, prefix: prefix, isTold: isTold, limits)
            }
            switch reading {
            case .taken(let sample): samples.append(sample)
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

extension SampleMessage.Refusal {
    fileprivate mutating func note(_ refused: JSONValue, _ limits: FixLimits) {
        guard let sequence = refused["seq"]?.integer, FixLimits.sequenceRange.contains(sequence)
        else { return }
        sequences.append(sequence)
        if Sample.isRight(refused, byItsOwnTime: limits) { mistimed.append(sequence) }
    }
}

extension DeviceSample {
    /// Whether nothing is wrong with it, except perhaps its time by our clock.
    fileprivate static func isRight(_ value: JSONValue, byItsOwnTime limits: FixLimits) -> Bool {
        do throws(Problem) {
            guard let takenAt = time(of: value) else { return false }
            _ = try Self(value, receivedAt: takenAt, prefix: "", isTold: false, limits)
            return true
        } catch {
            return false
        }
    }
}

extension FixMessage {
    /// The fixes that can be accepted, in their original order.
    public var fixes: [Fix] { samples }
}
