/// By how much a device's clock is wrong, as its samples say.
///
/// Nothing can be taken in the future, and nothing is sent that is older than what the service
/// keeps: a clock that says so is wrong. One that is wrong by the same amount three times in
/// succession is corrected from then on. A clock that is only some minutes slow is left as it is:
/// what it says cannot be told from samples that were on the way for so long.
public struct DeviceClock: Hashable, Sendable {
    /// How far the clock is ahead of the server's; negative: behind. Nil: not known to be wrong.
    public private(set) var offset: Duration?
    /// What the last samples agree on, where it is not the offset.
    package private(set) var candidate: Candidate?
    /// Samples in succession that were refused for their time, and not corrected since.
    public private(set) var refusals: Int
    /// When its owner was last notified of it.
    public private(set) var toldAt: Timestamp?
    /// Whether the server's clock was doubted meanwhile: then the offset says nothing of the device's.
    public private(set) var isServers: Bool

    package struct Candidate: Hashable, Sendable {
        package let ahead: Duration
        package let since: Timestamp
        package let count: Int

        package init(ahead: Duration, since: Timestamp, count: Int) {
            (self.ahead, self.since, self.count) = (ahead, since, count)
        }
    }

    /// The difference up to which two samples say the same of the clock.
    static let agreement = Duration.seconds(10)
    /// How many samples have to agree.
    static let enough = 3
    /// How long they have to, before a corrected clock counts as right, or as slow: samples that
    /// waited come within moments.
    static let span = Duration.seconds(10)
    /// What GPS receivers forget: their week has ten bits.
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

    /// Takes the first sample's word for it, while the server's own clock is behind.
    ///
    /// - Parameter raw: when the newest sample was taken, by the device's clock.
    public mutating func adopt(_ raw: Timestamp, at now: Timestamp) {
        (offset, candidate, refusals, isServers) = (raw - now, nil, 0, true)
    }

    /// To be called while the server's clock is behind, of a device that was found to be ahead before that
    /// was known.
    ///
    /// - Returns: whether it was.
    public mutating func blameServer() -> Bool {
        guard !isServers, let offset, offset > .zero else { return false }
        isServers = true
        return true
    }

    /// To be called once the server's clock is trusted.
    public mutating func forgetServers() { self = DeviceClock(offset: nil, toldAt: toldAt) }

    /// The time by the server's clock.
    ///
    /// - Parameters:
    ///   - raw: by the device's clock.
    ///   - limits: how far ahead of now, and how long before, a sample is accepted.
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

    /// Notes when a sample was taken that was refused for its time.
    ///
    /// - Parameter raw: by the device's clock.
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

    /// Whether so many were refused that it cannot be corrected.
    public var isHopeless: Bool { refusals > DeviceClock.enough }

    /// Notes when a sample was taken that was accepted. A clock that was set right is no longer
    /// corrected.
    ///
    /// - Parameter time: corrected.
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

    /// Notes what a sample says.
    ///
    /// - Returns: whether the last ones agree, and have for so long.
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
        // The one that was on the way for the shortest time says it best.
        let count = min(known.count + 1, DeviceClock.enough)
        candidate = Candidate(ahead: max(known.ahead, ahead), since: known.since, count: count)
        return count >= DeviceClock.enough && now >= known.since + span
    }
}
