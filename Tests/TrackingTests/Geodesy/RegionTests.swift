import Testing

@testable import Tracking

/// Which points are in polygons with holes.
struct RegionTests {
    private func ring(_ corners: (Double, Double)...) throws -> [Coordinate] {
        try corners.map { try #require(Coordinate(latitude: $0.0, longitude: $0.1)) }
    }

    private func region() throws -> Region {
        let frame = try #require(
            Region.Polygon(rings: [
                ring((0, 0), (0, 10), (10, 10), (10, 0)), ring((4, 4), (4, 6), (6, 6), (6, 4)),
            ]))
        // The bay between its arms is outside.
        let horseshoe = try #require(
            Region.Polygon(rings: [
                ring((-10, -30), (-10, -20), (0, -20), (0, -22), (-8, -25), (0, -28), (0, -30))
            ]))
        return Region([frame, horseshoe])
    }

    @Test(arguments: [
        (1.0, 1.0, true), (9.99, 9.99, true), (5, 5, false), (5, 3.99, true), (5, 6.01, true),
        (10.01, 5, false), (-0.01, 5, false), (5, -0.01, false), (5, 10.01, false),
        (-9, -25, true), (-1, -25, false), (-1, -29, true), (-1, -21, true), (-1, -19, false),
        // At the height of corners, where a ray meets two edges at once.
        (4, 1, true), (4, 9, true), (6, 11, false), (-8, -29, true), (-8, -21, true),
    ])
    func `A point is inside a region if it is in a polygon and in none of its holes`(
        latitude: Double, longitude: Double, isInside: Bool
    ) throws {
        let point = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect(try region().contains(point) == isInside)
    }

    @Test func `A random ring around a point contains it`() throws {
        var random = SplitMix64(seed: 7)
        for _ in 0..<500 {
            // Seen from the centre, the corners are in the order of their angles.
            let centre = (Double.random(in: -60...60, using: &random), 20.0)
            var angles: [Double] = (0..<7).map { _ in .random(in: 0..<6.28, using: &random) }
            angles += [0, 1.57, 3.14, 4.71]
            let corners = angles.sorted().map { angle in
                let radius = Double.random(in: 1...5, using: &random)
                return (centre.0 + radius * sine(angle), centre.1 + radius * sine(angle + 1.5708))
            }
            let ring = try corners.map {
                try #require(Coordinate(latitude: $0.0, longitude: $0.1))
            }
            let region = Region([try #require(Region.Polygon(rings: [ring]))])
            let inside = try #require(Coordinate(latitude: centre.0, longitude: centre.1))
            let outside = try #require(Coordinate(latitude: centre.0, longitude: centre.1 + 5.1))
            #expect(region.contains(inside) && !region.contains(outside))
        }
    }

    /// By its series: the core's tests import nothing for it.
    private func sine(_ angle: Double) -> Double {
        var (term, sum) = (angle, angle)
        for step in 1...14 {
            term *= -angle * angle / Double(2 * step * (2 * step + 1))
            sum += term
        }
        return sum
    }

    @Test func `A polygon needs a ring, and a ring three corners`() throws {
        #expect(Region.Polygon(rings: []) == nil)
        #expect(Region.Polygon(rings: [try ring((0, 0), (1, 1))]) == nil)
        #expect(
            Region.Polygon(rings: [try ring((0, 0), (1, 1), (0, 1)), []]) == nil)
    }
}
