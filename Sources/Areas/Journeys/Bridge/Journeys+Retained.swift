import Contract
import Store
import Tracking

extension Journeys {
    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .path(let key, let name, let segment) = topic else { return nil }
        guard let group = memory.group(key), let person = memory.person(name) else { return false }
        let path = RetainedPaths.Key(group: group.id, user: person.id)
        return memory.state(JourneyState.self).paths.published[path]?.contains(segment) ?? false
    }
}

extension Transaction {
    /// Returns the retained segments of a path, as they are published.
    func lastSegments(of path: PathRow, of person: Person, as mode: Path.Mode)
        throws -> [PathSegment]
    {
        guard let segments = path.retainedSegments(of: person) else { return [] }
        let length = Path.segmentLength
        let count = path.length(of: person) - (segments.lowerBound - 1) * length
        let points = try lastPathPoints(path.number, of: person.id, count: count)
        return stride(from: 0, to: points.count, by: length).map { start in
            PathSegment(
                segment: segments.lowerBound + start / length, mode: mode,
                points: Array(points[start..<min(start + length, points.count)]))
        }
    }
}

extension Person {
    /// Returns the mode in which the group sees the path: a group that follows the journey and does
    /// not know of the SOS above it sees the journey's.
    func mode(of mode: Path.Mode, _ number: Int64, in group: Group) -> Path.Mode {
        let isFollowed = tracker.session(in: group.id)?.state == .routing
        return isFollowed && tracker.path?.number == number ? .journey : mode
    }
}

extension PathRow {
    /// Returns the number of the path's points; for a growing path, the tracker's.
    fileprivate func length(of person: Person) -> Int {
        if let count { return count }
        guard let path = person.tracker.path, path.number == number else { return 0 }
        return path.count
    }

    /// Returns the newest segments; nil if there are none.
    func retainedSegments(of person: Person) -> ClosedRange<Int>? {
        let last = (length(of: person) + Path.segmentLength - 1) / Path.segmentLength
        return last > 0 ? max(1, last - Path.retainedSegments + 1)...last : nil
    }
}
