internal import Contract
internal import Tracking
internal import XML

/// The course in a GPX file (topografix.com/GPX): its track, or its route if it has no track.
struct GPXCourse: XMLFormat {
    enum Failure: Error {
        case tooManyPoints
        case overtime
    }

    struct Point: Hashable {
        let coordinate: Coordinate
        /// Metres above the sea; nil if the file has no valid value for a run.
        var elevation: Double?
    }

    private(set) var track: [Point] = []
    private(set) var route: [Point] = []
    private var point: Point?
    private let deadline: Deadline

    /// The largest file, in bytes.
    static let maximumSize = 8 << 20
    /// The maximum number of points in a file: more than a day of one per second.
    static let maximumPoints = 100_000

    init(until deadline: Deadline = .never) { self.deadline = deadline }

    var points: [Point] { track.isEmpty ? route : track }

    mutating func start(_ name: Substring, _ attributes: [String: String]) throws(Failure) {
        guard name == "trkpt" || name == "rtept" else { return }
        point = attributes["lat"].flatMap { Double($0) }.flatMap { latitude in
            attributes["lon"].flatMap { Double($0) }.flatMap { longitude in
                Coordinate(latitude: latitude, longitude: longitude)
            }
        }.map { Point(coordinate: $0) }
    }

    mutating func pause() throws(Failure) { if deadline.isOver { throw .overtime } }

    mutating func end(_ name: Substring, _ text: String) throws(Failure) {
        switch name {
        case "ele":
            if let elevation = Double(text), Run.elevations.contains(elevation) {
                point?.elevation = elevation
            }
        case "trkpt", "rtept":
            if let point {
                guard track.count + route.count < GPXCourse.maximumPoints else {
                    throw .tooManyPoints
                }
                if name == "trkpt" { track.append(point) } else { route.append(point) }
            }
            point = nil
        default: break
        }
    }

    /// At most this many points, in their order: those that matter most for the line's shape.
    ///
    /// - Throws: ``Overtime``, at the deadline.
    static func simplified(_ points: [Point], atMost limit: Int, until deadline: Deadline = .never)
        throws(Overtime) -> [Point]
    {
        try LineSimplification.kept(
            of: points.map(\.coordinate), atMost: limit, until: deadline
        ).map { points[$0] }
    }
}
