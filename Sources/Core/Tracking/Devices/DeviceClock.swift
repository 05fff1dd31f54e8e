/// The error of a device's clock, according to its samples.
///
/// Samples cannot be taken in the future, and are never sent after their retention: a clock with
/// such times is wrong. A clock that is wrong by the same amount three times in succession is
/// corrected from then on. A clock that is only some minutes slow is left as it is: its samples
/// cannot be distinguished from samples that were delayed for that long.
public struct DeviceClock: Hashable, Sendable {
    /// The clock's lead over the server's; negative: behind. Nil: not known to be wrong.
    public private(set) var offset: Duration?
    /// The error that the last samples agree on, where it differs from the offset.
    package private(set) var candidate: Candidate?
    /// Samples in succession that were refused for their time, and not corrected since.
    public private(set) var refusals: Int
    /// When its owner was last notified of it.
    public private(set) var toldAt: Timestamp?
    /// Whether the server's clock was doubted at the time: then the offset says nothing about the
    /// device's clock.
    public private(set) var isServers: Bool

    package struct Candidate: Hashable, Sendable {
        package let ahead: Duration
        package let since: Timestamp
        package let count: Int

        package init(ahead: Duration, since: Timestamp, count: Int) {
            (self.ahead, self.since, self.count) = (ahead, since, count)
        }
    }

    /// The difference up to which two samples agree about the clock.
    static let agreement = Duration.seconds(10)
    /// The number of samples that have to agree.
    static let enough = 3
    /// The time for which they have to agree before a corrected clock counts as right, or a clock
    /// as slow: delayed samples arrive within moments of each other.
    static let span = Duration.seconds(10)
    /// The rollover of GPS receivers: their week number has ten bits.
    static let rollover = Duration.seconds(1024 * 7 * 86_400)

    public init() { (refusals, isServers) = (0, false) }

    /// Restores a stored value.
    package init(
        offset: Duration?, candidate: Candidate? = nil, refusals: Int = 0, toldAt: Timestamp? = nil,
        isServers: Bool = false
    ) {
        self.isServers = isServers
        (self.offset, self.candidate) = (offset, candidate)
        (self.refusals, self.toldAt) = (refusals, toldAt)
    }

    /// Whether anything is known of it.
    public var isInDoubt: Bool { offset != nil || candidate != nil || refusals > 0 }

    /// Whether the owner is to be notified now: not again within a day.
    public mutating func isToBeTold(at now: Timestamp) -> Bool {
        if let toldAt, toldAt <= now, now < toldAt + DeviceClock.tellingPause { return false }
        toldAt = now
        return true
    }

    private static let tellingPause = Duration.seconds(86_400)

    /// Adopts the first sample's time, while the server's own clock is behind.
    ///
    /// - Parameter raw: the newest sample's time by the device's clock.
    public mutating func adopt(_ raw: Timestamp, at now: Timestamp) {
        (offset, candidate, refusals, isServers) = (raw - now, nil, 0, true)
    }

    /// Attributes an offset to the server's clock. To be called while that is behind, for a device
    /// that was found to be ahead before this was known.
    ///
    /// - Returns: whether there was such an offset.
    public mutating func blameServer() -> Bool {
        guard !isServers, let offset, offset > .zero else { return false }
        isServers = true
        return true
    }

    /// To be called once the server's clock is trusted.
    public mutating func forgetServers() { self = DeviceClock(offset: nil, toldAt: toldAt) }

    /// Returns the time by the server's clock.
    ///
    /// - Parameters:
    ///   - raw: the time by the device's clock.
    ///   - ahead: the maximum lead over now of an accepted sample.
    ///   - before: the maximum age of an accepted sample.
    public func corrected(
        _ raw: Timestamp, at now: Timestamp, ahead: Duration, before: Duration
    ) -> Timestamp {
        let time = offset.map { raw - $0 } ?? raw
        guard time > now + ahead || time < now - before else { return time }
        let (distance, weeks) = ((now - raw).milliseconds, DeviceClock.rollover.milliseconds)
        let (half, isBeyond) = distance.addingReportingOverflow(
            distance < 0 ? -weeks / 2 : weeks / 2)
        guard !isBeyond else { return time }
        let unrolled = raw + .milliseconds(half / weeks * weeks)
        return unrolled <= now + ahead && unrolled >= now - before ? unrolled : time
    }

    /// Records the time of a sample that was refused for its time.
    ///
    /// - Parameter raw: the time by the device's clock.
    /// - Returns: whether the clock is corrected from now on.
    public mutating func noteRefused(_ raw: Timestamp, at now: Timestamp) -> Bool {
        let ahead = raw - now
        refusals = min(refusals + 1, DeviceClock.enough + 1)
        guard isConfirmed(ahead, at: now, for: ahead > .zero ? .zero : DeviceClock.span) else {
            return false
        }
        offset = candidate?.ahead
        (candidate, refusals) = (nil, 0)
        return true
    }

    /// Whether too many samples were refused to correct the clock.
    public var isHopeless: Bool { refusals > DeviceClock.enough }

    /// Records the time of an accepted sample. A clock that was set right is no longer corrected.
    ///
    /// - Parameter time: the corrected time.
    public mutating func noteAccepted(_ time: Timestamp, at now: Timestamp) {
        refusals = 0
        guard let offset else {
            candidate = nil
            return
        }
        let ahead = time + offset - now
        guard ahead <= DeviceClock.agreement, ahead >= .zero - DeviceClock.agreement else {
            candidate = nil
            return
        }
        guard isConfirmed(.zero, at: now, for: DeviceClock.span) else { return }
        self.offset = nil
        candidate = nil
    }

    /// Records a sample's error.
    ///
    /// - Returns: whether the last samples have agreed for that time.
    private mutating func isConfirmed(_ ahead: Duration, at now: Timestamp, for span: Duration)
        -> Bool
    {
        guard let known = candidate, known.since <= now,
            ahead - known.ahead <= DeviceClock.agreement,
            known.ahead - ahead <= DeviceClock.agreement
        else {
            candidate = Candidate(ahead: ahead, since: now, count: 1)
            return false
        }
        // The sample with the shortest delay is the most exact.
        let count = min(known.count + 1, DeviceClock.enough)
        candidate = Candidate(ahead: max(known.ahead, ahead), since: known.since, count: count)
        return count >= DeviceClock.enough && now >= known.since + span
    }
}
