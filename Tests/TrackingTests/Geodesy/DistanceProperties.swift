import Foundation
import TestSupport
import Testing
import Tracking

struct DistanceProperties {
    /// Anywhere, the same density on the whole sphere.
    private func place(_ random: inout SplitMix64) throws -> Coordinate {
        let latitude = asin(Double.random(in: -1...1, using: &random)) * 180 / .pi
        return try #require(
            Coordinate(
                latitude: latitude, longitude: .random(in: -180...180, using: &random)))
    }

    /// From pole to pole along a meridian: nothing is farther apart on the ellipsoid.
    private let farthest = 20_003_931.459

    @Test(arguments: seeds)
    func `Distance is symmetric, and positive unless the places are the same`(_ seed: UInt64) throws
    {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let (a, b) = (try place(&random), try place(&random))
            let distance = a.distance(to: b)
            #expect(distance > 0)
            #expect(distance <= farthest)
            #expect(abs(distance - b.distance(to: a)) < 0.001)
            #expect(a.distance(to: a) == 0)
        }
    }

    @Test(arguments: seeds)
    func `No detour is shorter than the direct way`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            let places = [try place(&random), try place(&random), try place(&random)]
            let direct = places[0].distance(to: places[2])
            let legs = (places[0].distance(to: places[1]), places[1].distance(to: places[2]))
            #expect(direct <= legs.0 + legs.1 + 0.001)
        }
    }

    /// Haversine on the mean sphere is within 0.56 % of the ellipsoid everywhere.
    @Test(arguments: seeds)
    func `Distance is everywhere close to the sphere's`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for index in 0..<100 {
            let a = try place(&random)
            // Every other pair is nearly opposite.
            let b = index.isMultiple(of: 2) ? try place(&random) : try opposite(of: a, &random)
            let sphere = greatCircle(a, b)
            #expect(abs(a.distance(to: b) / sphere - 1) < 0.006)
        }
    }

    private func opposite(of place: Coordinate, _ random: inout SplitMix64) throws -> Coordinate {
        let longitude = place.longitude + (place.longitude > 0 ? -180 : 180)
        let (north, east) = (
            Double.random(in: -0.6...0.6, using: &random),
            Double.random(in: -0.6...0.6, using: &random)
        )
        return try #require(
            Coordinate(
                latitude: max(-90, min(90, north - place.latitude)),
                longitude: max(-180, min(180, longitude + east))))
    }

    private func greatCircle(_ a: Coordinate, _ b: Coordinate) -> Double {
        let degree = Double.pi / 180
        let cosine =
            sin(a.latitude * degree) * sin(b.latitude * degree)
            + cos(a.latitude * degree) * cos(b.latitude * degree)
            * cos((a.longitude - b.longitude) * degree)
        return 6_371_008.8 * acos(max(-1, min(1, cosine)))
    }
}
