/// Detects that a person does not move. The anchor is the first fix after the last ones that were
/// outside; as long as the fixes since then are around it, the person has not moved.
///
/// Each fix is judged by its own accuracy and the anchor's, so that a bad one does not affect those
/// after it. A single fix outside may be a mistake, so two in succession are required.
///
/// A gap without fixes is no evidence of standing still: a paused recorder resumes with a fix at
/// the same place before the person moves on. So the first fix after a gap proves nothing, and the
/// person still has to be there a while later. Gaps in succession are normal for a slow device.
package struct Stillness: Hashable, Sendable {
    enum Verdict {
        case unchanged
        /// The person has not left the circle for as long as the rules allow.
        case stuck
        /// After being stuck, the person has left the larger circle.
        case moving
    }

    package struct Anchor: Hashable, Sendable {
        package internal(set) var coordinate: Coordinate
        package internal(set) var takenAt: Timestamp
        /// Metres. Earlier versions kept the largest accuracy of the fixes around it.
        package internal(set) var accuracy: Double

        package init(coordinate: Coordinate, takenAt: Timestamp, accuracy: Double) {
            self.coordinate = coordinate
            self.takenAt = takenAt
            self.accuracy = accuracy
        }

        init(at fix: Fix) {
            coordinate = fix.coordinate
            takenAt = fix.takenAt
            accuracy = fix.accuracy ?? 0
        }

        /// - Parameter factor: the factor by which the circle is enlarged.
        func isNear(_ other: Anchor, times factor: Double, _ rules: Rules) -> Bool {
            let blur = max(accuracy, other.accuracy) * rules.accuracyFactor
            let radius = max(rules.stuckRadius, blur) * factor
            return coordinate.distance(to: other.coordinate) <= radius
        }
    }

    package private(set) var anchor: Anchor?
    /// The last fix, if it was outside and the one before it was not.
    package private(set) var stray: Anchor?
    package private(set) var isStuck: Bool
    /// When the last fix was taken.
    package private(set) var lastAt: Timestamp?
    /// When the first fix after the last gap in this stay was taken.
    package private(set) var resumedAt: Timestamp?

    package init(
        anchor: Anchor? = nil, stray: Anchor? = nil, isStuck: Bool = false,
        lastAt: Timestamp? = nil, resumedAt: Timestamp? = nil
    ) {
        self.anchor = anchor
        self.stray = stray
        self.isStuck = isStuck
        self.lastAt = lastAt
        self.resumedAt = resumedAt
    }

    /// - Parameter fix: newer than all fixes before it, unless the server's clock was set back.
    mutating func judge(_ fix: Fix, by rules: Rules) -> Verdict {
        guard fix.isUsable(rules) else { return .unchanged }
        noteGap(before: fix.takenAt, rules)
        let place = Anchor(at: fix)
        guard var anchor, anchor.accuracy <= rules.usableAccuracy else {
            self.anchor = place
            return .unchanged
        }
        guard anchor.isNear(place, times: isStuck ? rules.movingFactor : 1, rules) else {
            return leave(for: place, rules)
        }
        stray = nil
        anchor.takenAt = min(anchor.takenAt, fix.takenAt)
        if let accuracy = fix.accuracy, accuracy < anchor.accuracy {
            anchor.coordinate = fix.coordinate
            anchor.accuracy = accuracy
        }
        self.anchor = anchor
        return stay(until: fix.takenAt, rules)
    }

    private mutating func leave(for place: Anchor, _ rules: Rules) -> Verdict {
        guard let first = stray else {
            stray = place
            return .unchanged
        }
        stray = nil
        anchor = first.isNear(place, times: 1, rules) ? first : place
        resumedAt = nil
        guard isStuck else { return stay(until: place.takenAt, rules) }
        isStuck = false
        return .moving
    }

    private mutating func noteGap(before time: Timestamp, _ rules: Rules) {
        defer { lastAt = time }
        guard anchor != nil else { return }
        let isFirst = resumedAt == nil || resumedAt != lastAt
        if isFirst, lastAt.map({ time > $0 + rules.gapAfter }) ?? true { resumedAt = time }
    }

    private mutating func stay(until now: Timestamp, _ rules: Rules) -> Verdict {
        guard let anchor, !isStuck, now >= anchor.takenAt + rules.stuckAfter,
            resumedAt.map({ now >= $0 + rules.gapConfirmation }) ?? true
        else { return .unchanged }
        isStuck = true
        return .stuck
    }
}

extension Fix {
    /// Whether its position is accurate enough. A missing accuracy counts as good.
    func isUsable(_ rules: Rules) -> Bool { (accuracy ?? 0) <= rules.usableAccuracy }
}
