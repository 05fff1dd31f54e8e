/// Whether somebody is inside a circle.
///
/// Leaving takes two fixes in succession which say the same, taken ``settling`` apart or more: one bad
/// fix moves nobody, and neither does a walk along the edge. So does arriving, unless the first fix is
/// clearly inside, and nothing contradicts it for ``patience``: a phone at rest sends no second one.
/// What a fix does not say counts neither way.
public struct GeofencePresence: Hashable, Sendable {
    public enum Crossing: String, Hashable, Sendable {
        case arrived, left
    }

    /// Where the person is; nil until that is known.
    public private(set) var side: Geofence.Side?
    /// When the first fix there was taken.
    public private(set) var since: Timestamp?
    /// The other side, if the last fix that said something said that; when the first one that did was
    /// taken.
    public private(set) var candidate: Geofence.Side?
    public private(set) var candidateSince: Timestamp?
    /// Whether that one is enough.
    public private(set) var isClear = false

    /// Metres beyond the edge that somebody has to be to have left.
    static let margin = 25.0
    /// Metres by which a fix may be less accurate than the circle is large.
    static let tolerance = 50.0
    public static let settling = Duration.seconds(10)
    /// A minute, and what the last fix of that minute takes to arrive.
    public static let patience = Duration.seconds(65)

    public init() {}

    /// As it was stored.
    public init(
        side: Geofence.Side?, since: Timestamp?, candidate: Geofence.Side?,
        candidateSince: Timestamp?, isClear: Bool
    ) {
        (self.side, self.since) = (side, since)
        (self.candidate, self.candidateSince, self.isClear) = (candidate, candidateSince, isClear)
    }

    /// - Parameter fix: a live one.
    /// - Returns: what happened; nil also where it is only now known where the person is.
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

    /// When a single fix counts, if nothing contradicts it; nil if none would.
    public var settlesAt: Timestamp? {
        isClear ? candidateSince.map { $0 + GeofencePresence.patience } : nil
    }

    /// A second fix says the same, and is to be told of later: at ``settlesAt``, if nothing contradicts it
    /// until then.
    public mutating func confirm() { isClear = candidate != nil }

    /// - Returns: what happened, now that nothing has contradicted a single fix.
    public mutating func settle(at now: Timestamp) -> Crossing? {
        guard let settlesAt, settlesAt <= now, let candidate, let candidateSince else { return nil }
        return move(to: candidate, at: candidateSince)
    }

    /// Takes what comes too late to tell anybody: it moves nobody, and the next live fix that says the
    /// same does. It counts before the person is reported missing (``isThere(by:)``).
    ///
    /// - Parameter time: of the newest that is known.
    public mutating func note(late seen: Geofence.Side, at time: Timestamp) {
        if seen == side {
            noteNothing()
        } else if seen != candidate {
            (candidate, candidateSince, isClear) = (seen, time, false)
        }
    }

    /// Whether the person came by then and has not left, as far as is known: the newest position that
    /// says something decides, also a single one.
    public func isThere(by due: Timestamp) -> Bool {
        let since = candidate == nil ? since : candidateSince
        return (candidate ?? side) == .inside && (since.map { $0 <= due } ?? false)
    }

    /// Takes the word of a phone that watches the circle itself: it has seen the edge crossed, also
    /// where nothing was known before.
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
    /// Where the person was seen last, when looking begins: nobody has arrived or left.
    public mutating func begin(at fix: Fix, _ fence: Geofence, _ rules: Rules) {
        guard side == nil, let seen = fence.side(of: fix, rules) else { return }
        move(to: seen, at: fix.takenAt)
    }
}
