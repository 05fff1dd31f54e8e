/// Up to which number a device's fixes are on disk, for devices that number them.
///
/// Such a device keeps every fix until its receipt and, after each reconnect, sends again what
/// it kept, the oldest first. On the way numbers can be missing (a broker was killed) or come
/// twice; a receipt never covers a gap that the device may still fill. What was refused for its
/// time alone is such a gap: as long as the device gets nothing through, nothing is given up.
public struct Receipts: Hashable, Sendable {
    /// Numbers that arrived early are remembered up to this many stretches; beyond it they are
    /// forgotten and have to come again.
    private static let maximumStretches = 64
    /// A gap that a talking device has not filled for so long, it has given up.
    static let patience = Duration.seconds(600)

    /// Every fix up to this number is stored; nil before the first one, and below all numbers where
    /// that is to come again.
    public private(set) var storedThrough: Int64?
    /// What arrived beyond a gap, in ascending order, apart from each other.
    package private(set) var beyond: [ClosedRange<Int64>] = []
    /// Since when there is the gap in front.
    package private(set) var gapSince: Timestamp?

    public init() {}

    /// As they were stored.
    package init(storedThrough: Int64?, beyond: [ClosedRange<Int64>], gapSince: Timestamp?) {
        self.storedThrough = storedThrough
        self.beyond = beyond
        self.gapSince = gapSince
    }

    /// This number came, and is to come again.
    public mutating func expect(_ sequence: Int64) {
        // A device that we meet: what it has begins here. Of any other the number is missing.
        if storedThrough == nil { storedThrough = sequence - 1 }
    }

    /// - Parameter isNew: false where the fix had been stored before.
    public mutating func note(_ sequence: Int64, isNew: Bool, at now: Timestamp) {
        guard let through = storedThrough else {
            // A device that we meet begins with the oldest fix it has.
            storedThrough = sequence
            return
        }
        if sequence <= through {
            // All numbers so far are taken: the device began to count anew.
            if isNew { start(at: sequence) }
            return
        }
        if sequence == through + 1 { storedThrough = sequence } else { remember(sequence) }
        absorb(at: now)
        // The clock was set back: nobody waits longer for it.
        if let since = gapSince, since > now { gapSince = now }
        if let gapSince, now >= gapSince + Receipts.patience, let first = beyond.first {
            storedThrough = first.lowerBound - 1
            absorb(at: now)
        }
    }

    private mutating func start(at sequence: Int64) {
        storedThrough = sequence
        beyond.removeAll()
        gapSince = nil
    }

    /// Takes in what follows without a gap.
    private mutating func absorb(at now: Timestamp) {
        let gap = beyond.first?.lowerBound
        while let first = beyond.first, let through = storedThrough,
            first.lowerBound <= through + 1
        {
            storedThrough = max(through, first.upperBound)
            beyond.removeFirst()
        }
        if beyond.isEmpty {
            gapSince = nil
        } else if gapSince == nil || beyond.first?.lowerBound != gap {
            gapSince = now
        }
    }

    private mutating func remember(_ sequence: Int64) {
        guard !beyond.contains(where: { $0.contains(sequence) }) else { return }
        if let before = beyond.firstIndex(where: { $0.upperBound + 1 == sequence }) {
            beyond[before] = beyond[before].lowerBound...sequence
        } else if beyond.count < Receipts.maximumStretches {
            let place = beyond.firstIndex { $0.lowerBound > sequence } ?? beyond.count
            beyond.insert(sequence...sequence, at: place)
        }
    }
}
