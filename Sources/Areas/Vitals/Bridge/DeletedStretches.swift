import Tracking

/// The time ranges whose vital signs a user has deleted: data measured then may still be queued on
/// a phone.
struct DeletedStretches: Hashable, Sendable {
    /// Sorted by time; they neither overlap nor touch.
    private(set) var stretches: [Range<Timestamp>] = []

    /// The maximum number kept per person; the one that ended longest ago is dropped first.
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

    /// Forgets ranges that ended before a moment.
    mutating func forget(before time: Timestamp) { stretches.removeAll { $0.upperBound < time } }
}
