internal import Numbers
internal import RealModule
public import Tracking

/// A run's course: a line, which may cross itself, return the same way, and be run in laps.
public struct Course: Hashable, Sendable {
    public let points: [Coordinate]
    public let laps: Int
    /// Metres from the start, of all laps together.
    public let length: Double
    /// Places that every runner has to pass, in metres from the start of each lap, ascending. A
    /// closed course without chosen ones has the ``usualCheckpoints(of:)``.
    public let checkpoints: [Double]
    /// The checkpoints that were chosen.
    public var chosenCheckpoints: [Double] { hasUsualCheckpoints ? [] : checkpoints }
    private let hasUsualCheckpoints: Bool
    /// Whether it ends near its start, so that the finish is reached by turning round.
    public let isClosed: Bool

    /// Metres.
    public let lapLength: Double
    /// Metres from a lap's start at each point.
    let distances: [Double]
    private let segments: [Segment]

    /// The allowed length of a lap, in metres.
    public static let lengths = 100.0...500_000
    public static let maximumPoints = 20_000
    public static let maximumLaps = 1_000
    /// Straight parts of all laps together.
    public static let maximumSegments = 50_000
    public static let maximumCheckpoints = 100
    /// The maximum distance between a lap's start and end, in metres.
    public static let lapGap = 50.0
    /// The maximum distance between a closed course's start and end, in metres; at most a quarter
    /// of a short one.
    static let closedGap = 150.0
    /// The approximate number of splits of a runner.
    public static let splits = 200.0
    /// In metres; two points nearer to each other are one place.
    private static let shortestSegment = 0.001

    public enum Invalid: Error, Hashable, Sendable {
        case pointCount, length, lapCount, checkpoints
        /// Laps on a line that ends farther from its start than ``lapGap``.
        case open
        /// More than ``maximumSegments``; the line can be run in `mostLaps`.
        case segmentCount(mostLaps: Int)
    }

    /// - Parameters:
    ///   - points: in running order. Repetitions of the point before count once.
    ///   - checkpoints: on the line, ascending; empty: none were chosen.
    public init(_ points: [Coordinate], laps: Int = 1, checkpoints: [Double] = [])
        throws(Invalid)
    {
        var line: [Coordinate] = []
        for point in points where point != line.last { line.append(point) }
        guard (2...Course.maximumPoints).contains(line.count) else { throw .pointCount }
        guard (1...Course.maximumLaps).contains(laps) else { throw .lapCount }
        let gap = line[0].distance(to: line[line.count - 1])
        if laps > 1 {
            guard gap <= Course.lapGap else { throw .open }
            // Closes the gap: runners do not jump from the end of a lap to its beginning.
            if line.last != line.first { line.append(line[0]) }
        }
        var distances = [0.0]
        var segments: [Segment] = []
        for (from, to) in zip(line, line.dropFirst()) {
            let segment = Segment(from, to)
            // Different points can be one place: 180° east is 180° west.
            guard segment.length >= Course.shortestSegment else { continue }
            segments.append(segment)
            distances.append((distances.last ?? 0) + segment.length)
        }
        guard let lapLength = distances.last, Course.lengths.contains(lapLength) else {
            throw .length
        }
        guard segments.count * laps <= Course.maximumSegments else {
            throw .segmentCount(mostLaps: Course.maximumSegments / segments.count)
        }
        guard checkpoints.count <= Course.maximumCheckpoints,
            checkpoints.allSatisfy({ $0 > 0 && $0 < lapLength }),
            zip(checkpoints, checkpoints.dropFirst()).allSatisfy({ $0 < $1 })
        else { throw .checkpoints }
        isClosed = laps > 1 || gap <= min(Course.closedGap, lapLength / 4)
        let usual = isClosed ? Course.usualCheckpoints(of: lapLength) : []
        hasUsualCheckpoints =
            checkpoints.isEmpty
            || checkpoints.count == usual.count
                && zip(checkpoints, usual).allSatisfy { abs($0 - $1) <= 1 }
        self.checkpoints = hasUsualCheckpoints ? usual : checkpoints
        (self.points, self.laps) = (line, laps)
        (self.distances, self.segments, self.lapLength) = (distances, segments, lapLength)
        length = lapLength * Double(laps)
    }

    /// Returns places after a quarter, a half and three quarters of a lap, so that a closed course
    /// is not won by turning round or running only a part of it.
    static func usualCheckpoints(of lapLength: Double) -> [Double] {
        [0.25, 0.5, 0.75].map { (lapLength * $0).rounded() }
    }

    /// The minimum distance between two splits of a runner, in metres.
    var splitLength: Double { max(20, length / Course.splits) }

    /// Returns the numbers of the checkpoints between two places, counted through all laps.
    ///
    /// - Parameters:
    ///   - start: metres from the start of the course.
    ///   - end: the same.
    func checkpoints(after start: Double, before end: Double) -> [Int] {
        let first = lap(at: start)
        return (first...max(first, lap(at: end))).flatMap { lap in
            checkpoints.indices.filter { number in
                let metres = checkpoints[number] + Double(lap) * lapLength
                return metres > start && metres < end
            }.map { lap * checkpoints.count + $0 }
        }
    }

    /// Returns the point of the line after this many metres.
    public func point(at distance: Double) -> Coordinate {
        let (index, _) = segment(at: distance)
        let start = lapStart(distance)
        let part = (distance - start - distances[index]) / segments[index].length
        return segments[index].point(at: max(0, min(part, 1)))
    }

    /// Returns whether the line is nowhere farther from another one than this many metres.
    public func stays(within limit: Double, of other: Course) -> Bool {
        let between = (0...Course.samples).map {
            point(at: lapLength * Double($0) / Double(Course.samples))
        }
        return (points + between).allSatisfy {
            !other.matches($0, in: 0...other.lapLength, within: limit).isEmpty
        }
    }

    /// The number of places compared on a line besides its corners.
    private static let samples = 500

    // MARK: Matching

    /// A place on the line near a point.
    struct Match: Hashable {
        /// Metres from the start.
        let distance: Double
        /// Metres from the point.
        let offset: Double
    }

    /// Returns the places on a part of the line where it comes nearest to the point, one for each
    /// time that it passes.
    ///
    /// - Parameter range: in metres from the start.
    func matches(_ point: Coordinate, in range: ClosedRange<Double>, within limit: Double)
        -> [Match]
    {
        var segmentsRead = 0
        return matches(point, in: range, within: limit, &segmentsRead)
    }

    /// - Parameter segmentsRead: increased by the number of straight parts with which the point was
    ///   compared.
    func matches(
        _ point: Coordinate, in range: ClosedRange<Double>, within limit: Double,
        _ segmentsRead: inout Int
    ) -> [Match] {
        var nearest = NearestPlaces(within: limit)
        let end = min(range.upperBound, length)
        var (index, lap) = segment(at: max(0, range.lowerBound))
        while true {
            let segment = segments[index]
            let start = Double(lap) * lapLength + distances[index]
            guard start <= end else { break }
            segmentsRead += 1
            let first = min(max(range.lowerBound - start, 0), segment.length)
            let part = first...max(first, min(end - start, segment.length))
            let along = min(max(segment.along(point), part.lowerBound), part.upperBound)
            for place in [part.lowerBound, along, part.upperBound] {
                nearest.note(
                    Match(distance: start + place, offset: segment.offset(of: point, at: place)))
            }
            index += 1
            if index == segments.count { (index, lap) = (0, lap + 1) }
            if lap == laps { break }
        }
        return nearest.found
    }

    private func lap(at distance: Double) -> Int {
        min(max(0, Int(clamping: (distance / lapLength).rounded(.down))), laps - 1)
    }

    private func lapStart(_ distance: Double) -> Double { Double(lap(at: distance)) * lapLength }

    private func segment(at distance: Double) -> (index: Int, lap: Int) {
        let lap = lap(at: distance)
        let within = distance - Double(lap) * lapLength
        var (low, high) = (0, segments.count)
        while low + 1 < high {
            let middle = (low + high) / 2
            if distances[middle] <= within { low = middle } else { high = middle }
        }
        return (low, lap)
    }
}

/// Finds where a line, followed from its start, comes near, moves away, and comes near again.
private struct NearestPlaces {
    private let limit: Double
    private var places: [Course.Match] = []
    private var best: Course.Match?
    private var farthest = 0.0

    /// In metres; a line that moves away by less has not moved away.
    private static let step = 3.0

    init(within limit: Double) { self.limit = limit }

    mutating func note(_ place: Course.Match) {
        guard let known = best else {
            if place.offset <= limit { (best, farthest) = (place, place.offset) }
            return
        }
        farthest = max(farthest, place.offset)
        if farthest > known.offset + NearestPlaces.step,
            place.offset < farthest - NearestPlaces.step
        {
            places.append(known)
            best = place.offset <= limit ? place : nil
            farthest = place.offset
        } else if place.offset < known.offset {
            (best, farthest) = (place, place.offset)
        }
    }

    var found: [Course.Match] { places + (best.map { [$0] } ?? []) }
}

/// A straight part of a course, on the plane that touches the earth there: within a metre over the
/// kilometres of a part.
private struct Segment: Hashable, Sendable {
    private let from: Coordinate
    /// Metres per degree.
    private let scale: (x: Double, y: Double)
    private let way: (x: Double, y: Double)
    let length: Double

    init(_ from: Coordinate, _ to: Coordinate) {
        self.from = from
        let degree = 111_132.954
        let cosine = Double.cos((from.latitude + to.latitude) / 2 * .pi / 180)
        length = from.distance(to: to)
        let east = Segment.longitude(from, to) * degree * cosine
        let north = (to.latitude - from.latitude) * degree
        // Makes lengths equal those over the ellipsoid.
        let flat = (east * east + north * north).squareRoot()
        let stretch = flat > 0 ? length / flat : 1
        scale = (degree * cosine * stretch, degree * stretch)
        way = (east * stretch, north * stretch)
    }

    /// Returns the difference, the short way round.
    private static func longitude(_ from: Coordinate, _ to: Coordinate) -> Double {
        let difference = to.longitude - from.longitude
        return difference > 180
            ? difference - 360 : difference < -180 ? difference + 360 : difference
    }

    private func offset(of point: Coordinate) -> (x: Double, y: Double) {
        (Segment.longitude(from, point) * scale.x, (point.latitude - from.latitude) * scale.y)
    }

    /// Returns where the whole line, of which this is a part, comes nearest to the point: metres
    /// from the beginning of the part.
    func along(_ point: Coordinate) -> Double {
        let there = offset(of: point)
        return (there.x * way.x + there.y * way.y) / length
    }

    /// - Parameter along: metres from the beginning.
    func offset(of point: Coordinate, at along: Double) -> Double {
        let there = offset(of: point)
        let (x, y) = (there.x - way.x * along / length, there.y - way.y * along / length)
        return (x * x + y * y).squareRoot()
    }

    /// - Parameter part: 0...1.
    func point(at part: Double) -> Coordinate {
        Coordinate(
            latitude: from.latitude + way.y / scale.y * part,
            longitude: from.longitude + way.x / scale.x * part) ?? from
    }

    static func == (left: Segment, right: Segment) -> Bool {
        left.from == right.from && left.way == right.way && left.length == right.length
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(from)
        hasher.combine(length)
    }
}
