import Tracking

/// The stretches of time of which somebody had their vital signs deleted: what was measured then may still
/// wait on a phone.
struct DeletedStretches: Hashable, Sendable {
    /// In the order of time; none touches another.
    private(set) var stretches: [Range<Timestamp>] = []

    /// The most that are kept of a person; the one that ended longest ago goes first.
    static let maximum = 100

    init() {}

    func contains(_ time: Timestamp) -> Bool { stretches.contains { $0.contains(time) } }

    mutating func insert(_ stretch: Range<Timestamp>) {
        guard !stretch.isEmpty else { return }
        var (from, to) = (stretch.lowerBound, stretch.upperBound)
        stretches.removeAll { known in
            guard known.lowerBound <= to, from <= known.upperBound else { return false }
            (from, to) = (min(from, known.lowerBound), max(to, known.upperBound))
            return true
        }
        let place = stretches.firstIndex { $0.lowerBound > from } ?? stretches.endIndex
        stretches.insert(from..<to, at: place)
        if stretches.count > DeletedStretches.maximum { stretches.removeFirst() }
    }

    /// Forgets those that ended before a moment.
    mutating func forget(before time: Timestamp) { stretches.removeAll { $0.upperBound < time } }
}
