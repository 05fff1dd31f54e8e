internal import Numbers
public import Tracking

/// Cuts a line where it crosses ±180°, so that no part crosses it (RFC 7946, 3.1.9), and no part
/// has fewer than two positions, unless the whole line has only one.
///
/// The two ends of a cut lie on the meridian, at the place and time at which the line, drawn the
/// shorter way, crosses it.
public struct PathCutter: Sendable {
    public enum Step: Hashable, Sendable {
        case point(Path.Point)
        /// A new line begins here.
        case cut
    }

    /// The last point, held until the next one is known.
    private var last: Path.Point?
    /// The number of points in this part before the last one.
    private var count = 0

    public init() {}

    /// - Returns: the steps that are now certain.
    public mutating func add(_ point: Path.Point) -> [Step] {
        guard let last else {
            self.last = point
            return []
        }
        guard last.coordinate.isBeyond180(from: point.coordinate) else {
            self.last = point
            count += 1
            return [.point(last)]
        }
        if let same = point.flipped {
            // A point on the meridian is equally close to the previous and the next one. A cut
            // there is one place, not two.
            guard same != last else { return [] }
            self.last = same
            count += 1
            return [.point(last)]
        }
        self.last = point
        if let beginning = last.flipped {
            defer { count = 1 }
            return count == 0 ? [.point(beginning)] : [.point(last), .cut, .point(beginning)]
        }
        count = 1
        let (end, beginning) = PathCutter.meeting(from: last, to: point)
        return [.point(last), .point(end), .cut, .point(beginning)]
    }

    /// - Returns: the last position; empty if there was none.
    public mutating func end() -> [Step] {
        defer { (last, count) = (nil, 0) }
        return last.map { [.point($0)] } ?? []
    }

    private static func meeting(from first: Path.Point, to second: Path.Point) -> (
        end: Path.Point, beginning: Path.Point
    ) {
        let before = Double(Coordinate.half - abs(Int64(first.coordinate.longitudeE7)))
        let after = Double(Coordinate.half - abs(Int64(second.coordinate.longitudeE7)))
        let part = before / (before + after)
        let north =
            Double(second.coordinate.latitudeE7) - Double(first.coordinate.latitudeE7)
        let latitude =
            Int64(first.coordinate.latitudeE7) + Int64(clamping: (part * north).rounded())
        let time = Double((second.takenAt - first.takenAt).milliseconds)
        let takenAt = first.takenAt + .milliseconds(Int64(clamping: (part * time).rounded()))
        func point(_ longitude: Int64) -> Path.Point {
            guard let place = Coordinate(latitudeE7: latitude, longitudeE7: longitude) else {
                preconditionFailure("between two latitudes there is another one")
            }
            return Path.Point(coordinate: place, takenAt: takenAt)
        }
        let side = first.coordinate.longitudeE7 > 0 ? Coordinate.half : -Coordinate.half
        return (point(side), point(-side))
    }
}

extension Coordinate {
    /// 180°, in units of 10⁻⁷ degrees.
    static let half: Int64 = 1_800_000_000

    /// Whether the shorter way between the two crosses ±180°.
    func isBeyond180(from other: Coordinate) -> Bool {
        abs(Int64(longitudeE7) - Int64(other.longitudeE7)) > Coordinate.half
    }
}

extension Path.Point {
    /// The same place on the other side of ±180°; nil if it is not on that meridian.
    fileprivate var flipped: Path.Point? {
        guard abs(Int64(coordinate.longitudeE7)) == Coordinate.half else { return nil }
        let place = Coordinate(
            latitudeE7: Int64(coordinate.latitudeE7), longitudeE7: -Int64(coordinate.longitudeE7))
        return place.map { Path.Point(coordinate: $0, takenAt: takenAt) }
    }
}
