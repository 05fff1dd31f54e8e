import Testing
import Tracking

@testable import FakeGPS

struct StreetTrackTests {
    /// Around a corner, 300 m north and 200 m east.
    private static let way = [(46.0, 14.5), (46.0027, 14.5), (46.0027, 14.5026)].compactMap {
        Coordinate(latitude: $0.0, longitude: $0.1)
    }

    @Test(arguments: [false, true], [1, 2, 3] as [UInt64])
    func `A track keeps to the street from end to end`(isDriven: Bool, seed: UInt64) throws {
        let track = StreetTrack(along: Self.way, isDriven: isDriven, seed: seed).track(every: 1)
        let plane = LocalPlane(origin: Self.way[0])
        let corner = plane.vector(to: Self.way[1])
        for sample in track.samples {
            let place = plane.vector(to: sample.coordinate)
            // The street's middle is where it goes north, or where it goes east.
            let away = min(abs(place.east), abs(place.north - corner.north))
            #expect(away < 12)
        }
        let last = try #require(track.samples.last)
        #expect(track.samples[0].coordinate.distance(to: Self.way[0]) < 12)
        #expect(last.coordinate.distance(to: Self.way[2]) < 12)
        #expect(track.samples.compactMap(\.speed).allSatisfy { $0 <= (isDriven ? 14.01 : 1.56) })
    }

    @Test func `A seed always gives the same track, another seed a different one`() {
        let walk = StreetTrack(along: Self.way, isDriven: false, seed: 1)
        #expect(walk.track() == walk.track())
        #expect(
            walk.track() != StreetTrack(along: Self.way, isDriven: false, seed: 2).track())
    }

    @Test func `A car slows down where the street turns`() throws {
        let track = StreetTrack(along: Self.way, isDriven: true, seed: 1).track(every: 1)
        let corner = Self.way[1]
        let nearest = try #require(
            track.samples.min {
                $0.coordinate.distance(to: corner) < $1.coordinate.distance(to: corner)
            })
        #expect(try #require(nearest.speed) < 7.5)
        #expect(try #require(track.samples.compactMap(\.speed).max()) > 7.9)
    }
}
