/// A person's path since a journey or an emergency began, in segments that are published one by
/// one. Only its length and its last segment are kept here; the store has the complete path.
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

    /// The result of adding a fix to the path.
    enum Growth {
        /// It is in the last segment.
        case appended
        /// It is in the last segment, which is now full.
        case completed
        /// It was taken before the last point: the segments from there on have to be read again.
        case inserted
        /// The path already has ``Rules/maximumPathPoints``.
        case full
    }

    /// The number of points in a segment.
    public static let segmentLength = 64
    /// The number of newest segments that are shown, as they grow, to everyone who may see the
    /// path; older ones are available on request.
    public static let retainedSegments = 16

    /// The number of the path among the user's.
    public let number: Int64
    public internal(set) var mode: Mode
    public internal(set) var startedAt: Timestamp
    /// The groups that see it, in ascending order.
    public internal(set) var groups: [GroupID]
    public private(set) var count = 0
    /// The points of the last segment, ordered by time.
    public private(set) var tail: [Point] = []

    init(number: Int64, mode: Mode, startedAt: Timestamp, groups: [GroupID]) {
        self.number = number
        self.mode = mode
        self.startedAt = startedAt
        self.groups = groups
    }

    /// Restores a stored value.
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

    /// Sets the stored values after points were inserted.
    public mutating func replace(count: Int, tail: [Point]) {
        precondition(tail.count <= Path.segmentLength, "a segment has at most 64 points")
        self.count = count
        self.tail = tail
    }
}
