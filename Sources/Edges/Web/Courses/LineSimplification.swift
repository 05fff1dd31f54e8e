internal import Glibc
internal import HeapModule
internal import Tracking

/// Removes the points of a line that matter least, one after the other (Visvalingam and Whyatt,
/// 1993), in n log n steps.
///
/// A point's weight is the area of the triangle with its neighbours, their measure. A turn back on
/// the same way has no triangle; so the height is the distance from the side's segment, and the
/// base is half of the way over the point.
struct LineSimplification {
    private typealias Place = (x: Double, y: Double)

    /// A removable point, with its weight when it was entered.
    private struct Candidate: Comparable {
        let weight: Double
        let index: Int
        /// The number of times that the point had been weighed.
        let version: Int32

        static func < (one: Candidate, other: Candidate) -> Bool {
            (one.weight, one.index) < (other.weight, other.index)
        }
    }

    private let places: [Place]
    private var before: [Int]
    private var after: [Int]
    /// -1: removed.
    private var versions: [Int32]
    private var heap = Heap<Candidate>()

    /// The indices of the remaining points, in their order: the ends, and as many others as the
    /// limit permits.
    ///
    /// - Throws: ``Overtime``, at the deadline.
    static func kept(of line: [Coordinate], atMost limit: Int, until deadline: Deadline)
        throws(Overtime) -> [Int]
    {
        guard line.count > max(2, limit) else { return Array(line.indices) }
        var simplification = LineSimplification(line)
        try simplification.leaveOut(line.count - max(2, limit), until: deadline)
        return line.indices.filter { simplification.versions[$0] >= 0 }
    }

    /// Projects the line to a plane, approximately in metres.
    private init(_ line: [Coordinate]) {
        let origin = line[0]
        let degree = 111_320.0
        let cosine = cos(origin.latitude * .pi / 180)
        places = line.map { point in
            (
                x: remainder(point.longitude - origin.longitude, 360) * degree * cosine,
                y: (point.latitude - origin.latitude) * degree
            )
        }
        before = line.indices.map { $0 - 1 }
        after = line.indices.map { $0 + 1 }
        versions = Array(repeating: 0, count: line.count)
        heap = Heap(
            (1..<line.count - 1).map { Candidate(weight: weight(of: $0), index: $0, version: 0) })
    }

    private mutating func leaveOut(_ count: Int, until deadline: Deadline) throws(Overtime) {
        var (left, steps) = (count, 0)
        while left > 0, let least = heap.popMin() {
            steps += 1
            if steps % LineSimplification.stepsBetweenLooks == 0 { try deadline.check() }
            let index = least.index
            guard versions[index] == least.version else { continue }
            versions[index] = -1
            left -= 1
            let (last, next) = (before[index], after[index])
            (after[last], before[next]) = (next, last)
            for neighbour in [last, next] where neighbour > 0 && neighbour < places.count - 1 {
                versions[neighbour] += 1
                // Its weight is never less than that of the points removed before.
                heap.insert(
                    Candidate(
                        weight: max(weight(of: neighbour), least.weight), index: neighbour,
                        version: versions[neighbour]))
            }
        }
    }

    /// In square metres.
    private func weight(of index: Int) -> Double {
        let (last, point, next) = (places[before[index]], places[index], places[after[index]])
        let way = LineSimplification.length(last, point) + LineSimplification.length(point, next)
        return LineSimplification.distance(point, last, next) * way / 2
    }

    private static func length(_ from: Place, _ to: Place) -> Double {
        let (x, y) = (to.x - from.x, to.y - from.y)
        return (x * x + y * y).squareRoot()
    }

    /// Returns the distance from a point to a segment.
    private static func distance(_ point: Place, _ from: Place, _ to: Place) -> Double {
        let way = (x: to.x - from.x, y: to.y - from.y)
        let there = (x: point.x - from.x, y: point.y - from.y)
        let square = way.x * way.x + way.y * way.y
        let part = square > 0 ? min(max((there.x * way.x + there.y * way.y) / square, 0), 1) : 0
        return length((x: part * way.x, y: part * way.y), there)
    }

    private static let stepsBetweenLooks = 1_024
}
