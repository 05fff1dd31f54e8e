import Testing
import Tracking

/// The grid of coarse positions.
struct GridTests {
    private func fix(_ latitude: Double, _ longitude: Double) throws -> Fix {
        Fix(
            coordinate: try #require(Coordinate(latitude: latitude, longitude: longitude)),
            takenAt: Timestamp(milliseconds: 1), receivedAt: Timestamp(milliseconds: 2),
            accuracy: 5,
            altitude: 3, heading: 4, speed: 5, battery: 6, sequence: 7)
    }

    @Test(arguments: Precision.allCases.filter { $0 != .exact })
    func `The centre of a cell is within the stated accuracy everywhere`(_ precision: Precision)
        throws
    {
        var random = SplitMix64(seed: 4)
        for number in 0..<2_000 {
            let edge = number % 10 == 0
            let latitude = edge ? 90 : Double.random(in: -90...90, using: &random)
            let longitude = number % 7 == 0 ? -180 : Double.random(in: -180...180, using: &random)
            let fix = try fix(latitude, longitude)
            let shown = fix.shown(precision)
            let distance = fix.coordinate.distance(to: shown.coordinate)
            let accuracy = try #require(shown.accuracy)
            // The ellipsoid is not a sphere.
            #expect(distance <= accuracy * 1.02, "\(latitude), \(longitude): \(distance) m")
            // The centre is its own centre.
            #expect(shown.shown(precision).coordinate == shown.coordinate)
            #expect(shown.altitude == nil && shown.heading == nil && shown.speed == nil)
            #expect(shown.battery == nil && shown.sequence == nil)
            #expect(shown.takenAt == fix.takenAt)
        }
    }

    @Test func `All positions within a cell are shown at one place`() throws {
        var random = SplitMix64(seed: 5)
        let home = try fix(47.3, 8.5).shown(.district).coordinate
        var places: Set<Coordinate> = []
        for _ in 0..<1_000 {
            let near = try fix(
                home.latitude + Double.random(in: -0.0085...0.0085, using: &random),
                home.longitude + Double.random(in: -0.012...0.012, using: &random))
            places.insert(near.shown(.district).coordinate)
        }
        #expect(places == [home])
    }

    @Test func `Exact precision changes nothing, and a worse accuracy is kept`() throws {
        let fix = try fix(47.3, 8.5)
        #expect(fix.shown(.exact) == fix)
        var vague = fix
        vague.accuracy = 30_000
        #expect(vague.shown(.street).accuracy == 30_000)
    }
}
