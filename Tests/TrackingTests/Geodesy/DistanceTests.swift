import Testing
import Tracking

struct DistanceTests {
    struct Pair: CustomTestStringConvertible {
        let name: String
        let from: (latitude: Double, longitude: Double)
        let to: (latitude: Double, longitude: Double)
        let meters: Double
        /// Metres: for published places that are not on the grid of 10⁻⁷ degrees.
        var tolerance = 0.001

        var testDescription: String { name }
    }

    @Test(arguments: published + degrees + poles)
    func `The distance matches the published one`(_ pair: Pair) throws {
        let from = try #require(
            Coordinate(latitude: pair.from.latitude, longitude: pair.from.longitude))
        let to = try #require(Coordinate(latitude: pair.to.latitude, longitude: pair.to.longitude))
        #expect(abs(from.distance(to: to) - pair.meters) <= pair.tolerance)
        #expect(abs(to.distance(to: from) - pair.meters) <= pair.tolerance)
    }

    /// Where Vincenty's iteration does not converge. Values of GeographicLib 2.1.
    @Test(arguments: [
        Pair(
            name: "opposite on the equator", from: (0, 0), to: (0, 180), meters: 20_003_931.459),
        Pair(
            name: "Karney's example", from: (-30, 0), to: (29.9, 179.8), meters: 19_989_832.828),
        Pair(
            name: "a step from opposite", from: (46.05, 14.5),
            to: (-46.049_999_9, -165.5), meters: 20_003_931.448),
    ])
    func `The distance of nearly opposite places is within 0.6 %`(_ pair: Pair) throws {
        let from = try #require(
            Coordinate(latitude: pair.from.latitude, longitude: pair.from.longitude))
        let to = try #require(Coordinate(latitude: pair.to.latitude, longitude: pair.to.longitude))
        #expect(abs(from.distance(to: to) / pair.meters - 1) < 0.006)
        #expect(from.distance(to: to) <= 20_003_931.459)
        #expect(from.way(to: to).bearing != nil)
    }

    static let published = [
        // Geoscience Australia's example for Vincenty's formulae (GRS 80; WGS 84 differs by less
        // than a micrometre here).
        Pair(
            name: "Flinders Peak to Buninyong", from: (-37.951_033_416_7, 144.424_867_888_9),
            to: (-37.652_821_138_9, 143.926_495_527_8), meters: 54_972.271, tolerance: 0.02),
        // The examples of GeographicLib's GeodSolve and of C. F. F. Karney, "Algorithms for
        // geodesics", Journal of Geodesy 87 (2013).
        Pair(
            name: "New York to London", from: (40.6, -73.8), to: (51.6, -0.5),
            meters: 5_551_759.400),
        Pair(
            name: "Sydney to New York", from: (-33.8688, 151.2093), to: (40.7128, -74.006),
            meters: 15_988_007.485),
        Pair(
            name: "Ljubljana to Vienna", from: (46.05, 14.5), to: (48.2, 16.37),
            meters: 277_945.568),
        Pair(
            name: "across the antimeridian", from: (0, 179.9999), to: (0, -179.9999),
            meters: 22.263_898),
        Pair(
            name: "across the equator", from: (-1e-7, 0), to: (1e-7, 0), meters: 0.022_115,
            tolerance: 1e-6),
        Pair(
            name: "the smallest step", from: (46, 14.5), to: (46, 14.500_000_1),
            meters: 0.007_746, tolerance: 1e-6),
    ]

    /// NIMA TR8350.2: degrees of the equator and of the meridian.
    static let degrees = [
        Pair(name: "equator", from: (0, 0), to: (0, 1), meters: 111_319.491),
        Pair(name: "equator, far away", from: (0, -120), to: (0, -121), meters: 111_319.491),
        Pair(name: "meridian at the equator", from: (0, 7), to: (1, 7), meters: 110_574.389),
        Pair(name: "meridian at 45°", from: (45, 7), to: (46, 7), meters: 111_141.548),
        Pair(name: "meridian at 45° south", from: (-45, 7), to: (-46, 7), meters: 111_141.548),
        Pair(name: "meridian at the pole", from: (89, 7), to: (90, 7), meters: 111_693.865),
    ]

    static let poles = [
        Pair(name: "a quarter meridian", from: (0, 0), to: (90, 0), meters: 10_001_965.729),
        Pair(
            name: "whatever the pole's longitude", from: (0, 0), to: (90, -117.3),
            meters: 10_001_965.729),
        Pair(name: "the north pole is one place", from: (90, 0), to: (90, 180), meters: 0),
        Pair(name: "the south pole is one place", from: (-90, 13), to: (-90, -77), meters: 0),
        Pair(name: "±180° is one meridian", from: (10, 180), to: (10, -180), meters: 0),
        Pair(name: "from pole to pole", from: (90, 12), to: (-90, 89), meters: 20_003_931.459),
    ]
}
