/// Notices that somebody stays where they are: an anchor is the first fix after the last one
/// that lay outside; as long as every fix since lies around it, the person has not moved on.
struct Stillness: Hashable, Sendable, Codable {
    enum Verdict {
        case unchanged
        /// Nobody left the circle for as long as the rules allow.
        case stuck
        /// After being stuck: out of the larger circle.
        case moving
    }

    private struct Anchor: Hashable, Sendable, Codable {
        var coordinate: Coordinate
        var takenAt: Timestamp
        /// The largest inaccuracy of the fixes around it, in metres.
        var accuracy: Double
    }

    private var anchor: Anchor?
    private(set) var isStuck = false

    /// - Parameter fix: newer than all fixes before it, unless the server's clock was set back.
    mutating func judge(_ fix: Fix, by rules: Rules) -> Verdict {
        guard var anchor else {
            drop(at: fix)
            return .unchanged
        }
        anchor.takenAt = min(anchor.takenAt, fix.takenAt)
        anchor.accuracy = max(anchor.accuracy, fix.accuracy ?? 0)
        let radius = max(rules.stuckRadius, anchor.accuracy)
        let distance = anchor.coordinate.distance(to: fix.coordinate)
        if isStuck {
            guard distance > radius * rules.movingFactor else { return .unchanged }
            isStuck = false
            drop(at: fix)
            return .moving
        }
        guard distance <= radius else {
            drop(at: fix)
            return .unchanged
        }
        self.anchor = anchor
        guard fix.takenAt >= anchor.takenAt + rules.stuckAfter else { return .unchanged }
        isStuck = true
        return .stuck
    }

    private mutating func drop(at fix: Fix) {
        anchor = Anchor(
            coordinate: fix.coordinate, takenAt: fix.takenAt, accuracy: fix.accuracy ?? 0)
    }
}
