/// Up to which number a device's fixes are on disk, for devices that number them.
///
/// Such a device keeps every fix until its receipt and, after each reconnect, sends again what
/// it kept, the oldest first. On the way numbers can be missing (a broker was killed) or come
/// twice; a receipt never covers a gap.
public struct Receipts: Hashable, Sendable, Codable {
    /// Numbers that arrived early are remembered up to this many stretches; beyond it they are
    /// forgotten and have to come again.
    private static let maximumStretches = 64

    /// Every fix up to this number is stored; nil before the first one.
    public private(set) var storedThrough: Int64?
    /// What arrived beyond a gap, in ascending order, apart from each other.
    private var beyond: [ClosedRange<Int64>] = []

    public init() {}

    private var highest: Int64? { beyond.last?.upperBound ?? storedThrough }

    /// - Parameter isNew: false where the fix had been stored before.
    public mutating func note(_ sequence: Int64, isNew: Bool) {
        guard let through = storedThrough, let highest else {
            storedThrough = sequence
            return
        }
        if sequence <= through {
            // All numbers so far are taken: the device began to count anew.
            if isNew { start(at: sequence) }
        } else if sequence == through + 1 {
            storedThrough = sequence
            absorb()
        } else if sequence <= highest, !beyond.contains(where: { $0.contains(sequence) }) {
            // The device went back to the oldest fix it still has; what is missing before
            // that, it has given up.
            storedThrough = sequence
            absorb()
        } else {
            remember(sequence)
        }
    }

    private mutating func start(at sequence: Int64) {
        storedThrough = sequence
        beyond.removeAll()
    }

    /// Closes the gap in front as far as it is filled.
    private mutating func absorb() {
        while let first = beyond.first, let through = storedThrough,
            first.lowerBound <= through + 1
        {
            storedThrough = max(through, first.upperBound)
            beyond.removeFirst()
        }
    }

    private mutating func remember(_ sequence: Int64) {
        guard !beyond.contains(where: { $0.contains(sequence) }) else { return }
        if let last = beyond.last, last.upperBound + 1 == sequence {
            beyond[beyond.count - 1] = last.lowerBound...sequence
        } else if beyond.count < Receipts.maximumStretches {
            beyond.append(sequence...sequence)
            beyond.sort { $0.lowerBound < $1.lowerBound }
        }
    }
}
