/// The number up to which a device's fixes are on disk, for devices that number them.
///
/// Such a device keeps every fix until its receipt and, after each reconnect, resends what it kept,
/// oldest first. Numbers can go missing on the way (a broker was killed) or arrive twice; a receipt
/// never covers a gap that the device may still fill. A fix refused only for its time leaves such a
/// gap: as long as nothing of the device is accepted, nothing is given up.
public struct Receipts: Hashable, Sendable {
    /// Numbers that arrived early are remembered as up to this many ranges; others are forgotten
    /// and have to be resent.
    private static let maximumStretches = 64
    /// The valid fix numbers: the integers that a double represents exactly. Others are not
    /// recorded, so that each number has a successor and a predecessor.
    public static let numbers: ClosedRange<Int64> = 0...9_007_199_254_740_991
    /// If a device that keeps sending has not filled a gap for this long, it has given up on it.
    static let patience = Duration.seconds(600)

    /// Every fix up to this number is stored. Nil before the first one; below all numbers if the
    /// first is to be resent.
    public private(set) var storedThrough: Int64?
    /// The numbers received beyond a gap, in ascending, non-adjacent ranges.
    package private(set) var beyond: [ClosedRange<Int64>] = []
    /// The time at which the first gap began.
    package private(set) var gapSince: Timestamp?

    public init() {}

    /// Restores a stored value; nil if it contains an invalid number.
    package init?(storedThrough: Int64?, beyond: [ClosedRange<Int64>], gapSince: Timestamp?) {
        let numbers = Receipts.numbers
        guard storedThrough.map({ numbers.contains($0) || $0 == numbers.lowerBound - 1 }) ?? true,
            beyond.allSatisfy({
                numbers.contains($0.lowerBound) && numbers.contains($0.upperBound)
            })
        else { return nil }
        self.storedThrough = storedThrough
        self.beyond = beyond
        self.gapSince = gapSince
    }

    /// Records that this number arrived, and is to be resent.
    public mutating func expect(_ sequence: Int64) {
        guard Receipts.numbers.contains(sequence) else { return }
        // If the device is new, its numbers begin here. Otherwise the number is simply missing.
        if storedThrough == nil { storedThrough = sequence - 1 }
    }

    /// - Parameter isNew: false if the fix had been stored before.
    public mutating func note(_ sequence: Int64, isNew: Bool, at now: Timestamp) {
        guard Receipts.numbers.contains(sequence) else { return }
        guard let through = storedThrough else {
            // A new device begins with the oldest fix it has.
            storedThrough = sequence
            return
        }
        if sequence <= through {
            // All numbers so far are used: the device has restarted its numbering.
            if isNew { start(at: sequence) }
            return
        }
        if sequence == through + 1 { storedThrough = sequence } else { remember(sequence) }
        absorb(at: now)
        // If the clock was set back, the wait does not become longer.
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

    /// Joins the ranges that follow without a gap.
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
