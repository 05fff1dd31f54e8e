import TestSupport
import Testing
import Tracking

struct CoordinateTests {
    @Test(arguments: [
        (0.0, 0.0, 0, 0),
        (90, 180, 900_000_000, 1_800_000_000),
        (-90, -180, -900_000_000, -1_800_000_000),
        (46.123_456_7, -14.765_432_1, 461_234_567, -147_654_321),
        (0.000_000_04, 0.000_000_06, 0, 1),
        (-0.000_000_04, -0.000_000_06, 0, -1),
        (89.999_999_96, 179.999_999_96, 900_000_000, 1_800_000_000),
        (-0.0, -0.0, 0, 0),
    ])
    func `Degrees are rounded to the grid`(
        _ latitude: Double, _ longitude: Double, _ latitudeE7: Int32, _ longitudeE7: Int32
    ) throws {
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        #expect(place.latitudeE7 == latitudeE7)
        #expect(place.longitudeE7 == longitudeE7)
    }

    @Test(
        arguments: [
            (90.000_000_01, 0), (-90.000_000_01, 0), (0, 180.000_000_01), (0, -180.000_000_01),
            (.nan, 0), (0, .nan), (.infinity, 0), (0, -.infinity), (.nan, .nan),
            (91, 181), (.greatestFiniteMagnitude, 0), (0, -.greatestFiniteMagnitude),
        ] as [(Double, Double)])
    func `Degrees out of range are rejected`(_ latitude: Double, _ longitude: Double) {
        #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
    }

    @Test(
        arguments: [
            (900_000_001, 0), (-900_000_001, 0), (0, 1_800_000_001), (0, -1_800_000_001),
            (.max, 0), (0, .max), (.min + 1, 0), (.min, 0), (0, .min),
        ] as [(Int64, Int64)])
    func `Grid units out of range are rejected`(_ latitude: Int64, _ longitude: Int64) {
        #expect(Coordinate(latitudeE7: latitude, longitudeE7: longitude) == nil)
    }

    @Test(arguments: seeds)
    func `A place on the grid survives conversion to degrees and back`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let place = try #require(
                Coordinate(
                    latitudeE7: .random(in: -900_000_000...900_000_000, using: &random),
                    longitudeE7: .random(in: -1_800_000_000...1_800_000_000, using: &random)))
            #expect(Coordinate(latitude: place.latitude, longitude: place.longitude) == place)
        }
    }
}
