public import Tracking

/// The in-memory knowledge of a device's stored fixes: enough to decide, for nearly every fix,
/// whether it is stored already.
///
/// Fixes are stored in order of arrival, each with the number of the device's previous one. Every
/// ``chunkLength`` of them make a *chunk*, which is indexed by device and time, so that the index
/// costs a fraction of a row per fix.
public struct DeviceLog: Hashable, Sendable {
    public enum Novelty: Sendable {
        case new
        case known
        /// Older than the newest one: only the database can decide.
        case uncertain
    }

    /// A sequence of a device's fixes, in order of arrival.
    public struct Chunk: Hashable, Sendable {
        public let device: DeviceID
        /// The newest fix; the others are found by following `previous`.
        public let last: FixID
        public let count: Int
        public let earliest: Timestamp
        public let latest: Timestamp

        public init(
            device: DeviceID, last: FixID, count: Int, earliest: Timestamp, latest: Timestamp
        ) {
            self.device = device
            self.last = last
            self.count = count
            self.earliest = earliest
            self.latest = latest
        }
    }

    public static let chunkLength = 32

    public let device: DeviceID
    public private(set) var last: FixID?
    /// When the newest fix was taken.
    private(set) var newest: Timestamp?
    /// The number of fixes since the last chunk, and when they were taken.
    private(set) var count = 0
    private(set) var earliest: Timestamp?
    private(set) var latest: Timestamp?
    /// Whether any chunk was completed.
    private(set) var hasChunks = false
    public var receipts = Receipts()
    public var clock = DeviceClock()

    public init(device: DeviceID) { self.device = device }

    /// Restores a stored value.
    init(
        device: DeviceID, last: FixID?, newest: Timestamp?, count: Int, earliest: Timestamp?,
        latest: Timestamp?, hasChunks: Bool, receipts: Receipts,
        clock: DeviceClock
    ) {
        self.device = device
        self.last = last
        self.newest = newest
        self.count = count
        self.earliest = earliest
        self.latest = latest
        self.hasChunks = hasChunks
        self.receipts = receipts
        self.clock = clock
    }

    /// The fixes since the last chunk; nil if there are none.
    public var openChunk: Chunk? {
        guard let last, let earliest, let latest, count > 0 else { return nil }
        return Chunk(device: device, last: last, count: count, earliest: earliest, latest: latest)
    }

    public func novelty(of takenAt: Timestamp) -> Novelty {
        guard let newest else { return .new }
        if takenAt > newest { return .new }
        if takenAt == newest { return .known }
        let mayBeOpen = earliest.map { takenAt >= $0 } ?? false
        return hasChunks || mayBeOpen ? .uncertain : .new
    }

    /// - Returns: the chunk that this fix completed.
    public mutating func note(_ fix: Fix, as id: FixID) -> Chunk? {
        last = id
        newest = newest.map { max($0, fix.takenAt) } ?? fix.takenAt
        earliest = earliest.map { min($0, fix.takenAt) } ?? fix.takenAt
        latest = latest.map { max($0, fix.takenAt) } ?? fix.takenAt
        count += 1
        guard count == DeviceLog.chunkLength, let chunk = openChunk else { return nil }
        (count, earliest, latest) = (0, nil, nil)
        hasChunks = true
        return chunk
    }
}
