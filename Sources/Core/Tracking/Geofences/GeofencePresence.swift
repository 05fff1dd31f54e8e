/// Whether a person is inside a circle.
///
/// Leaving takes two agreeing fixes in succession, taken ``settling`` apart or more: neither a
/// single bad fix nor a walk along the edge counts. So does arriving, unless the first fix is
/// clearly inside, and nothing contradicts it for ``patience``: a phone at rest sends no second
/// one. Unclear fixes count neither way.
public struct GeofencePresence: Hashable, Sendable {
    public enum Crossing: String, Hashable, Sendable {
        case arrived, left
    }

    /// The person's side; nil until known.
    public private(set) var side: Geofence.Side?
    /// When the first fix there was taken.
    public private(set) var since: Timestamp?
    /// The other side, if the last clear fix was there, and when the first such fix was taken.
    public private(set) var candidate: Geofence.Side?
    public private(set) var candidateSince: Timestamp?
    /// Whether that fix suffices.
    public private(set) var isClear = false

    /// Metres beyond the edge that a person must be to have left.
    static let margin = 25.0
    /// Metres by which a fix's accuracy may exceed the circle's radius.
    static let tolerance = 50.0
    public static let settling = Duration.seconds(10)
    /// A minute, plus the time for that minute's last fix to arrive.
    public static let patience = Duration.seconds(65)

    public init() {}

    /// Restores a stored value.
    public init(
        side: Geofence.Side?, since: Timestamp?, candidate: Geofence.Side?,
        candidateSince: Timestamp?, isClear: Bool
    ) {
        (self.side, self.since) = (side, since)
        (self.candidate, self.candidateSince, self.isClear) = (candidate, candidateSince, isClear)
    }

    /// - Parameter fix: a live one.
    /// - Returns: the crossing; nil also if this is the first clear fix.
    public mutating func receive(_ fix: Fix, at fence: Geofence, _ rules: Rules) -> Crossing? {
        guard let seen = fence.side(of: fix, rules) else { return nil }
        guard let side else {
            move(to: seen, at: fix.takenAt)
            return nil
        }
        guard seen != side else {
            noteNothing()
            return nil
        }
        guard let first = candidateSince, first <= fix.takenAt else {
            (candidate, candidateSince) = (seen, fix.takenAt)
            isClear = seen == .inside && fence.isClearlyInside(fix, rules)
            return nil
        }
        guard fix.takenAt >= first + GeofencePresence.settling else { return nil }
        return move(to: seen, at: first)
    }

    /// When the single fix counts, if nothing contradicts it; nil if it would not.
    public var settlesAt: Timestamp? {
        isClear ? candidateSince.map { $0 + GeofencePresence.patience } : nil
    }

    /// Records that a second fix agrees, to be reported later: at ``settlesAt``, if nothing
    /// contradicts it until then.
    public mutating func confirm() { isClear = candidate != nil }

    /// - Returns: the crossing, if no contradiction of the single fix came in time.
    public mutating func settle(at now: Timestamp) -> Crossing? {
        guard let settlesAt, settlesAt <= now, let candidate, let candidateSince else { return nil }
        return move(to: candidate, at: candidateSince)
    }

    /// Records a position that is too late for a notification: it does not move the person, but the
    /// next live fix that agrees does. It counts before the person is reported missing
    /// (``isThere(by:)``).
    ///
    /// - Parameter time: the time of the newest known position.
    public mutating func note(late seen: Geofence.Side, at time: Timestamp) {
        if seen == side {
            noteNothing()
        } else if seen != candidate {
            (candidate, candidateSince, isClear) = (seen, time, false)
        }
    }

    /// Whether the person arrived by then and has not left, as far as known: the newest clear
    /// position decides, even a single one.
    public func isThere(by due: Timestamp) -> Bool {
        let since = candidate == nil ? since : candidateSince
        return (candidate ?? side) == .inside && (since.map { $0 <= due } ?? false)
    }

    /// Accepts a report of a phone that monitors the circle itself: it has detected a crossing,
    /// even if nothing was known before.
    public mutating func report(_ seen: Geofence.Side, at time: Timestamp) -> Crossing? {
        guard seen != side else {
            noteNothing()
            return nil
        }
        return move(to: seen, at: time)
    }

    private mutating func noteNothing() {
        (candidate, candidateSince, isClear) = (nil, nil, false)
    }

    @discardableResult
    private mutating func move(to seen: Geofence.Side, at time: Timestamp) -> Crossing? {
        (side, since) = (seen, time)
        noteNothing()
        return seen == .inside ? .arrived : .left
    }
}

extension GeofencePresence {
    /// Sets the person's last known side when monitoring begins, without a crossing.
    public mutating func begin(at fix: Fix, _ fence: Geofence, _ rules: Rules) {
        guard side == nil, let seen = fence.side(of: fix, rules) else { return }
        move(to: seen, at: fix.takenAt)
    }
}
