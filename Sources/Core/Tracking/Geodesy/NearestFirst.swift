internal import HeapModule
internal import Numbers
internal import RealModule

/// Coordinates ordered by distance from a place. On the sphere all distances are computed, which is
/// fast; on the ellipsoid only those of the reached ones: a page of a long list needs few.
public struct NearestFirst: Sequence, IteratorProtocol {
    /// A coordinate as a direction from the centre of a sphere, computed once.
    public struct Direction: Sendable {
        fileprivate let x, y, z: Double

        public init(_ coordinate: Coordinate) {
            let degree = Double.pi / 180
            let latitude = coordinate.latitude * degree
            let longitude = coordinate.longitude * degree
            x = Double.cos(latitude) * Double.cos(longitude)
            y = Double.cos(latitude) * Double.sin(longitude)
            z = Double.sin(latitude)
        }
    }

    public struct Found: Sendable {
        /// The coordinate's place in the list.
        public let index: Int
        /// In metres.
        public let distance: Double
        /// The same in whole millimetres, the sort key; ties are ordered by place.
        public let millimetres: Int64
    }

    private let place: Coordinate
    private let coordinate: (Int) -> Coordinate
    private let longest: Double
    /// The nearest last.
    private var rest: [(estimate: Double, index: Int)]
    private var exact = Heap<Reached>()

    private struct Reached: Comparable {
        let found: Found

        static func < (left: Reached, right: Reached) -> Bool {
            (left.found.millimetres, left.found.index)
                < (right.found.millimetres, right.found.index)
        }

        static func == (left: Reached, right: Reached) -> Bool {
            left.found.index == right.found.index
        }
    }

    /// - Parameters:
    ///   - directions: the coordinates' directions, in their order.
    ///   - shortest: in millimetres; coordinates that are certainly nearer are omitted.
    ///   - longest: in metres; coordinates farther away are omitted.
    public init(
        to place: Coordinate, _ directions: some Sequence<Direction>, from shortest: Int64 = 0,
        atMost longest: Double = .infinity, coordinate: @escaping (Int) -> Coordinate
    ) {
        (self.place, self.coordinate, self.longest) = (place, coordinate, longest)
        let here = Direction(place)
        let least = Double(shortest) / 1_000 * NearestFirst.less - 1
        let most = longest * NearestFirst.more + 1
        rest = []
        for (index, other) in directions.enumerated() {
            let (x, y, z) = (here.x - other.x, here.y - other.y, here.z - other.z)
            let chord = (x * x + y * y + z * z).squareRoot() / 2
            let estimate = 2 * NearestFirst.radius * Double.asin(chord < 1 ? chord : 1)
            if estimate >= least, estimate <= most { rest.append((estimate, index)) }
        }
        rest.sort { ($0.estimate, $0.index) > ($1.estimate, $1.index) }
    }

    public mutating func next() -> Found? {
        while let nearest = rest.last,
            exact.min.map({ $0.found.distance + 1 >= nearest.estimate * NearestFirst.less }) ?? true
        {
            rest.removeLast()
            let distance = place.distance(to: coordinate(nearest.index))
            guard distance <= longest else { continue }
            exact.insert(
                Reached(
                    found: Found(
                        index: nearest.index, distance: distance,
                        millimetres: Int64(clamping: distance * 1_000))))
        }
        return exact.popMin()?.found
    }

    /// The mean radius of the earth. Distances on the ellipsoid differ by at most 0.6 %.
    private static let radius = WGS84.meanRadius
    private static let less = 0.99
    private static let more = 1.01
}
