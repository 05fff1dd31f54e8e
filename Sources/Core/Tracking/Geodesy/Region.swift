/// An area of the earth's surface: polygons with holes (RFC 7946, 3.1.6 and 3.1.7). Their edges are
/// straight in degrees, as in that standard; polygons across the antimeridian are cut there.
public struct Region: Hashable, Sendable {
    public let polygons: [Polygon]

    public struct Polygon: Hashable, Sendable {
        /// The outer ring, then the holes; each without its first corner again at the end.
        public let rings: [[Coordinate]]
        fileprivate let latitudes: ClosedRange<Double>
        fileprivate let longitudes: ClosedRange<Double>

        /// - Returns: nil unless there is a ring, and each has three corners or more.
        public init?(rings: [[Coordinate]]) {
            guard let outer = rings.first, rings.allSatisfy({ $0.count >= 3 }) else { return nil }
            self.rings = rings
            let (latitudes, longitudes) = (outer.map(\.latitude), outer.map(\.longitude))
            guard let south = latitudes.min(), let north = latitudes.max(),
                let west = longitudes.min(), let east = longitudes.max()
            else { return nil }
            (self.latitudes, self.longitudes) = (south...north, west...east)
        }

        /// Whether it contains the point; points on an edge may be in it or not.
        func contains(_ point: Coordinate) -> Bool {
            guard latitudes.contains(point.latitude), longitudes.contains(point.longitude) else {
                return false
            }
            // A ray to the east crosses the edges of a ring an odd number of times from inside.
            return rings.reduce(false) { $0 != Polygon.isAround(point, $1) }
        }

        private static func isAround(_ point: Coordinate, _ ring: [Coordinate]) -> Bool {
            var isInside = false
            var previous = ring[ring.count - 1]
            for corner in ring {
                if (corner.latitude > point.latitude) != (previous.latitude > point.latitude) {
                    let part =
                        (point.latitude - corner.latitude)
                        / (previous.latitude - corner.latitude)
                    let crossing =
                        corner.longitude + part * (previous.longitude - corner.longitude)
                    if point.longitude < crossing { isInside.toggle() }
                }
                previous = corner
            }
            return isInside
        }
    }

    public init(_ polygons: [Polygon]) { self.polygons = polygons }

    public func contains(_ point: Coordinate) -> Bool {
        polygons.contains { $0.contains(point) }
    }
}
