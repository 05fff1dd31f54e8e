public import JSON
public import Tracking

/// A measurement sent by devices, alone or in an array.
public protocol DeviceSample: Sendable {
    /// The plural of its name, for sentences.
    static var plural: String { get }

    /// - Parameter fields: the value's fields; omitted fields are recorded there.
    /// - Throws: `invalid` with every field that cannot be accepted, or `too-old`.
    init(
        _ value: JSONValue, _ fields: inout Fields, receivedAt now: Timestamp, _ limits: FixLimits
    ) throws(Problem)

    /// Reads when it was taken, if specified.
    static func time(of value: JSONValue) -> Timestamp?
}

/// The message that a device publishes on its `fix` topic: one Fix, or an array of them.
public typealias FixMessage = SampleMessage<Fix>

/// One sample of a device, or an array of them.
public struct SampleMessage<Sample: DeviceSample>: Sendable {
    /// The samples that can be accepted, in their original order.
    public private(set) var samples: [Sample] = []
    /// The errors of the others, one for each kind of problem.
    public private(set) var refusals: [Refusal] = []
    /// The time, by the device's clock, of the newest sample refused only for its time.
    public private(set) var mistimedAt: Timestamp?
    /// The fields omitted from accepted samples, as far as there is room for them; nil if there are
    /// none.
    public private(set) var leftOut: Problem?

    /// The samples that were refused for one reason.
    public struct Refusal: Sendable {
        public let problem: Problem
        /// The device's numbers of these samples, which are also final …
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
                let (sample, leftOut) = try Sample.read(value, receivedAt: now, limits)
                samples = [sample]
                if !leftOut.isEmpty { self.leftOut = Problem(invalid: leftOut) }
            } catch {
                var refusal = Refusal(problem: error)
                mistimedAt = refusal.note(value, at: now, limits)
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
        var leftOut: [Problem.FieldError] = []
        for (index, element) in elements.enumerated() {
            let reading = read.read(index) { prefix, isTold throws(Problem) in
                try Sample.read(
                    element, receivedAt: now, prefix: prefix, isTold: isTold, limits)
            }
            switch reading {
            case .taken(let (sample, isWithout)):
                samples.append(sample)
                guard !isWithout.isEmpty, leftOut.count < Refusals.maximumErrors else { continue }
                leftOut += Sample.leftOut(of: element, at: index, receivedAt: now, limits)
            case .refused(let kind): refused[kind, default: []].append(element)
            }
        }
        refusals = read.problems.map { problem in
            var refusal = Refusal(problem: problem)
            for element in refused[problem.kind] ?? [] {
                let time = refusal.note(element, at: now, limits)
                mistimedAt = [mistimedAt, time].compactMap(\.self).max()
            }
            return refusal
        }
        guard !leftOut.isEmpty else { return }
        self.leftOut = Problem(invalid: Array(leftOut.prefix(Refusals.maximumErrors)))
    }
}

extension SampleMessage.Refusal {
    /// - Returns: when it was taken, by the device's clock, if that is the only error.
    fileprivate mutating func note(
        _ refused: JSONValue, at now: Timestamp, _ limits: FixLimits
    ) -> Timestamp? {
        let sequence = refused["seq"]?.integer.flatMap {
            FixLimits.sequenceRange.contains($0) ? $0 : nil
        }
        if let sequence { sequences.append(sequence) }
        guard let time = Sample.timeOfOtherwiseRight(refused, at: now, limits) else { return nil }
        if let sequence { mistimed.append(sequence) }
        return time
    }
}

extension DeviceSample {
    /// - Parameter isTold: whether the reasons are to be reported.
    /// - Returns: the sample, and the errors of the omitted fields.
    fileprivate static func read(
        _ value: JSONValue, receivedAt now: Timestamp, prefix: String = "", isTold: Bool = true,
        _ limits: FixLimits
    ) throws(Problem) -> (Self, leftOut: [Problem.FieldError]) {
        var fields = try Fields(value, prefix: prefix, isTold: isTold)
        return (try Self(value, &fields, receivedAt: now, limits), fields.leftOut)
    }

    /// The same for an accepted element, with its place.
    fileprivate static func leftOut(
        of element: JSONValue, at index: Int, receivedAt now: Timestamp, _ limits: FixLimits
    ) -> [Problem.FieldError] {
        do throws(Problem) {
            return try read(element, receivedAt: now, prefix: "[\(index)].", limits).leftOut
        } catch {
            return []
        }
    }

    /// Returns when it was taken, by the device's clock, if nothing else is wrong.
    fileprivate static func timeOfOtherwiseRight(
        _ value: JSONValue, at now: Timestamp, _ limits: FixLimits
    ) -> Timestamp? {
        do throws(Problem) {
            guard let takenAt = time(of: value), !limits.isInSeconds(takenAt, at: now) else {
                return nil
            }
            var limits = limits
            limits.clock = DeviceClock()
            _ = try read(value, receivedAt: takenAt, isTold: false, limits)
            return takenAt
        } catch {
            return nil
        }
    }
}

extension FixMessage {
    /// The fixes that can be accepted, in their original order.
    public var fixes: [Fix] { samples }
}
