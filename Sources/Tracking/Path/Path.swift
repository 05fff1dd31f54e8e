/// The way a person took since a journey or an emergency began, in segments that are published
/// one by one. Here live its length and its last segment; the store has the whole.
public struct Path: Hashable, Sendable {
    public enum Mode: String, Hashable, Sendable {
        case journey
        case sos
    }

    public struct Point: Hashable, Sendable {
        public var coordinate: Coordinate
        public var takenAt: Timestamp

        public init(coordinate: Coordinate, takenAt: Timestamp) {
            self.coordinate = coordinate
            self.takenAt = takenAt
        }
    }

    /// What became of a fix that was offered to the path.
    enum Growth {
        /// The last segment has it.
        case appended
        /// The last segment has it and is full now.
        case completed
        /// It was taken before the last point: the segments from there on are to be read again.
        case inserted
        /// The path has ``Rules/maximumPathPoints`` already.
        case full
    }

    /// Points in a segment.
    public static let segmentLength = 64
    /// The newest segments, which everybody who may see the path is shown as they grow; the older
    /// ones are there for whoever asks.
    public static let retainedSegments = 16

    /// Counts the user's paths.
    public let number: Int64
    public internal(set) var mode: Mode
    public internal(set) var startedAt: Timestamp
    /// Whom it is shown to, in ascending order.
    public internal(set) var groups: [GroupID]
    public private(set) var count = 0
    /// The points of the last segment, in order of the time they were taken.
    public private(set) var tail: [Point] = []

    init(number: Int64, mode: Mode, startedAt: Timestamp, groups: [GroupID]) {
        self.number = number
        self.mode = mode
        self.startedAt = startedAt
        self.groups = groups
    }

    /// As it was stored.
    package init(
        number: Int64, mode: Mode, startedAt: Timestamp, groups: [GroupID], count: Int,
        tail: [Point]
    ) {
        self.init(number: number, mode: mode, startedAt: startedAt, groups: groups)
        self.count = count
        self.tail = tail
    }

    /// The number of the last segment, from 1; 0 while there is none.
    public var lastSegment: Int { (count + Path.segmentLength - 1) / Path.segmentLength }

    mutating func add(_ fix: Fix, atMost limit: Int) -> Growth {
        guard count < limit else { return .full }
        count += 1
        if let last = tail.last, fix.takenAt < last.takenAt { return .inserted }
        if tail.count == Path.segmentLength { tail.removeAll(keepingCapacity: true) }
        tail.append(Point(coordinate: fix.coordinate, takenAt: fix.takenAt))
        return tail.count == Path.segmentLength ? .completed : .appended
    }

    /// After points were inserted: what the store says now.
    public mutating func replace(count: Int, tail: [Point]) {
        precondition(tail.count <= Path.segmentLength, "a segment has at most 64 points")
        self.count = count
        self.tail = tail
    }
}
