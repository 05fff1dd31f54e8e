import Testing
import Tracking

@testable import FakeGPS

/// Generated tracks look like those of people.
struct GeneratedTrackTests {
    static let seeds: [UInt64] = Array(1...20)

    @Test(arguments: GeneratedTrack.Kind.allCases)
    func `A seed always generates the same track, another seed a different one`(
        kind: GeneratedTrack.Kind
    ) {
        let track = GeneratedTrack(kind, seed: 7).track()
        #expect(track == GeneratedTrack(kind, seed: 7).track())
        #expect(track != GeneratedTrack(kind, seed: 8).track())
    }

    /// Metres per second between samples ten seconds apart, noise included.
    func speeds(_ track: Track) -> [Double] {
        zip(track.samples, track.samples.dropFirst()).map { from, to in
            from.coordinate.distance(to: to.coordinate) / (to.offset - from.offset).inSeconds
        }
    }

    @Test(arguments: seeds) func `Walks have a realistic speed`(seed: UInt64) throws {
        let generated = GeneratedTrack(.walk, seed: seed)
        let track = generated.track(every: 10)
        let metres = generated.start.distance(to: generated.end)
        #expect(track.samples.allSatisfy { ($0.speed ?? -1) <= 1.6 })
        #expect(speeds(track).allSatisfy { $0 < 2.6 })
        let mean = metres / track.duration.inSeconds
        #expect((0.6...1.4).contains(mean), "as the crow flies: \(mean)")
    }

    @Test(arguments: seeds) func `Cars start, stop and keep the limit`(seed: UInt64) throws {
        let track = GeneratedTrack(.drive, seed: seed).track(every: 1)
        let given = track.samples.compactMap(\.speed)
        let fastest = try #require(given.max())
        #expect((8...14.01).contains(fastest))
        #expect(given.count { $0 == 0 } > 5)
        #expect(zip(given, given.dropFirst()).allSatisfy { $1 - $0 <= 1.61 && $0 - $1 <= 4 })
        #expect(track.samples.allSatisfy { ($0.speed == 0) == ($0.heading == nil) })
    }

    @Test(arguments: seeds) func `Commuters walk, drive and walk`(seed: UInt64) throws {
        let speeds = GeneratedTrack(.commute, seed: seed).track(every: 1).samples.compactMap(
            \.speed)
        let driving = speeds.indices.filter { speeds[$0] > 4.6 }
        let (first, last) = (try #require(driving.first), try #require(driving.last))
        #expect(first > 60)
        #expect(last < speeds.count - 60)
    }

    @Test(arguments: seeds)
    func `Tracks start and end at their places within twice the stated accuracy`(seed: UInt64)
        throws
    {
        for kind in GeneratedTrack.Kind.allCases {
            let generated = GeneratedTrack(kind, seed: seed)
            let track = generated.track()
            for (sample, place) in [
                (track.samples.first, generated.start), (track.samples.last, generated.end),
            ] {
                let sample = try #require(sample)
                let accuracy = try #require(sample.accuracy)
                #expect(sample.coordinate.distance(to: place) < 2 * accuracy)
            }
        }
    }

    @Test func `Walks turn corners instead of going straight`() {
        let generated = GeneratedTrack(
            .walk, from: Landmark("duomo")!.coordinate,
            to: Landmark("castello")!.coordinate, seed: 3)
        let track = generated.track(every: 10)
        let length = zip(track.samples, track.samples.dropFirst()).reduce(0) {
            $0 + $1.0.coordinate.distance(to: $1.1.coordinate)
        }
        #expect(length > 1.1 * generated.start.distance(to: generated.end))
    }

    @Test func `Errors drift slowly and match their stated size`() {
        var wander = ReceiverNoise(deviation: 5, seed: 11)
        let errors = (0..<50_000).map { wander.error(at: .seconds($0)) }
        let within = errors.count { $0.length <= wander.accuracy }
        #expect((0.93...0.97).contains(Double(within) / 50_000))
        #expect(zip(errors, errors.dropFirst()).allSatisfy { ($1 - $0).length < 6 })
    }

    @Test func `The local plane agrees with the round earth`() {
        let plane = LocalPlane(origin: place(45.5, 9))
        for (east, north) in [(0.0, 10_000.0), (10_000, 0), (-7000, -7000)] {
            let there = plane.coordinate(at: Vector(east: east, north: north))
            let metres = plane.origin.distance(to: there)
            #expect(abs(metres - Vector(east: east, north: north).length) < 10)
            #expect((plane.vector(to: there) - Vector(east: east, north: north)).length < 0.1)
        }
    }

    @Test(arguments: [(90.0, 0.0), (-90, 180), (0, 180), (0, -180), (89.99, 10)])
    func `Huge errors still yield coordinates`(latitude: Double, longitude: Double) {
        let origin = place(latitude, longitude)
        for step in [(-1e6, 1e6), (1e6, -1e6), (0, 1e9)] {
            let vector = Vector(east: step.0, north: step.1)
            _ = LocalPlane(origin: origin).coordinate(at: vector)
        }
    }
}
