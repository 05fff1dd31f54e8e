internal import Contract
internal import Glibc
internal import Tracking
internal import XML

/// The course in a GPX file (topografix.com/GPX): its track, or its route if it has no track.
struct GPXCourse: XMLFormat {
    typealias Failure = Never

    struct Point: Hashable {
        let coordinate: Coordinate
        /// Metres above the sea; nil where the file says none that a run may have.
        var elevation: Double?
    }

    private(set) var track: [Point] = []
    private(set) var route: [Point] = []
    private var point: Point?

    /// The largest file, in bytes.
    static let maximumSize = 8 << 20

    var points: [Point] { track.isEmpty ? route : track }

    mutating func start(_ name: Substring, _ attributes: [String: String]) {
        guard name == "trkpt" || name == "rtept" else { return }
        point = attributes["lat"].flatMap { Double($0) }.flatMap { latitude in
            attributes["lon"].flatMap { Double($0) }.flatMap { longitude in
                Coordinate(latitude: latitude, longitude: longitude)
            }
        }.map { Point(coordinate: $0) }
    }

    mutating func end(_ name: Substring, _ text: String) {
        switch name {
        case "ele":
            if let elevation = Double(text), Run.elevations.contains(elevation) {
                point?.elevation = elevation
            }
        case "trkpt", "rtept":
            if let point {
                if name == "trkpt" { track.append(point) } else { route.append(point) }
            }
            point = nil
        default: break
        }
    }

    /// At most so many points, in their order: those without which the line would be another one.
    ///
    /// By Ramer, Douglas and Peucker, with a tolerance that doubles until they are few enough.
    static func simplified(_ points: [Point], atMost limit: Int) -> [Point] {
        var tolerance = 1.0
        var kept = points
        while kept.count > limit {
            kept = simplified(points, within: tolerance)
            tolerance *= 2
        }
        return kept
    }

    /// - Parameter tolerance: metres.
    private static func simplified(_ points: [Point], within tolerance: Double) -> [Point] {
        guard points.count > 2, let origin = points.first?.coordinate else { return points }
        // On a plane, in metres about.
        let degree = 111_320.0
        let cosine = cos(origin.latitude * .pi / 180)
        let places = points.map { point in
            (
                x: (point.coordinate.longitude - origin.longitude) * degree * cosine,
                y: (point.coordinate.latitude - origin.latitude) * degree
            )
        }
        var isKept = Array(repeating: false, count: points.count)
        (isKept[0], isKept[points.count - 1]) = (true, true)
        var parts = [(0, points.count - 1)]
        while let (first, last) = parts.popLast() {
            var (farthest, most) = (first, tolerance)
            for index in (first + 1)..<max(first + 1, last) {
                let distance = distance(places[index], places[first], places[last])
                if distance > most { (farthest, most) = (index, distance) }
            }
            guard farthest > first else { continue }
            isKept[farthest] = true
            parts += [(first, farthest), (farthest, last)]
        }
        return zip(points, isKept).filter(\.1).map(\.0)
    }

    /// From a point to a part of a line.
    private static func distance(
        _ point: (x: Double, y: Double), _ from: (x: Double, y: Double),
        _ to: (x: Double, y: Double)
    ) -> Double {
        let way = (x: to.x - from.x, y: to.y - from.y)
        let there = (x: point.x - from.x, y: point.y - from.y)
        let square = way.x * way.x + way.y * way.y
        let part = square > 0 ? min(max((there.x * way.x + there.y * way.y) / square, 0), 1) : 0
        let (x, y) = (there.x - part * way.x, there.y - part * way.y)
        return (x * x + y * y).squareRoot()
    }
}
