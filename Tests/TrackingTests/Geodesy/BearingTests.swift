import Testing
import Tracking

struct BearingTests {
    struct Pair: CustomTestStringConvertible {
        let name: String
        let from: (latitude: Double, longitude: Double)
        let to: (latitude: Double, longitude: Double)
        let degrees: Double

        var testDescription: String { name }
    }

    @Test(arguments: [
        // Geoscience Australia: 306° 52′ 05.37″; GeographicLib's GeodSolve.
        Pair(
            name: "Flinders Peak to Buninyong", from: (-37.951_033_416_7, 144.424_867_888_9),
            to: (-37.652_821_138_9, 143.926_495_527_8), degrees: 306.868_16),
        Pair(
            name: "New York to London", from: (40.6, -73.8), to: (51.6, -0.5),
            degrees: 51.198_883),
        Pair(name: "north", from: (46, 14.5), to: (46.1, 14.5), degrees: 0),
        Pair(name: "south", from: (46, 14.5), to: (45.9, 14.5), degrees: 180),
        Pair(name: "east", from: (0, 10), to: (0, 11), degrees: 90),
        Pair(name: "west", from: (0, 10), to: (0, 9), degrees: 270),
        Pair(
            name: "east over the antimeridian", from: (0, 179.9999), to: (0, -179.9999),
            degrees: 90),
        Pair(
            name: "west over the antimeridian", from: (0, -179.9999), to: (0, 179.9999),
            degrees: 270),
        Pair(name: "over the north pole", from: (89, 0), to: (89, 180), degrees: 0),
        Pair(name: "from the south pole", from: (-90, 0), to: (-89, 0), degrees: 0),
    ])
    func `The bearing matches the published one`(_ pair: Pair) throws {
        let from = try #require(
            Coordinate(latitude: pair.from.latitude, longitude: pair.from.longitude))
        let to = try #require(Coordinate(latitude: pair.to.latitude, longitude: pair.to.longitude))
        let way = from.way(to: to)
        let bearing = try #require(way.bearing)
        #expect((0..<360).contains(bearing))
        let difference = abs(bearing - pair.degrees)
        #expect(min(difference, 360 - difference) < 0.000_1)
        #expect(way.distance == from.distance(to: to))
    }

    @Test func `A place has no bearing to itself`() throws {
        let place = try #require(Coordinate(latitude: 46, longitude: 14.5))
        #expect(place.way(to: place).bearing == nil)
        let (here, there) = (
            try #require(Coordinate(latitude: 0, longitude: 180)),
            try #require(Coordinate(latitude: 0, longitude: -180))
        )
        #expect(here.way(to: there).distance < 1e-6)
    }
}
