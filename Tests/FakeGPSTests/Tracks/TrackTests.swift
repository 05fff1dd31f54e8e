import Testing
import Tracking

@testable import FakeGPS

/// How readings become a track, and how a track is resampled.
struct TrackTests {
    /// Readings along the equator, a hundredth of a degree apart, at these seconds.
    func track(_ seconds: [Int64?], pace: Double = 1.4) throws -> Track {
        try Track(
            seconds.enumerated().map { index, second in
                Reading(
                    place(0, Double(index) / 100),
                    at: second.map { Timestamp(milliseconds: $0 * 1000) })
            }, pace: pace)
    }

    func seconds(_ track: Track) -> [Double] { track.samples.map { $0.offset.inSeconds.rounded() } }

    @Test(
        arguments: [
            ([0, nil, nil, 30], [0, 10, 20, 30]),
            ([nil, nil, 5000], [0, 1113, 2226]),
            ([100, nil, nil], [0, 1113, 2226]),
            ([nil, nil, nil], [0, 1113, 2226]),
            ([7], [0]),
            ([nil], [0]),
            ([3, 3, 3], [0, 0, 0]),
            ([-62_000_000_000, 253_000_000_000], [0, 315_000_000_000]),
        ] as [([Int64?], [Double])])
    func `Missing times follow from the known ones or from the pace`(
        given: [Int64?], expected: [Double]
    ) throws {
        #expect(seconds(try track(given, pace: 1)) == expected)
    }

    @Test func `Readings are sorted by time`() throws {
        let track = try track([20, 0, 10])
        #expect(seconds(track) == [0, 10, 20])
        #expect(track.samples.map(\.coordinate.longitude) == [0.01, 0.02, 0])
    }

    @Test func `Readings at one place share the time between their neighbours`() throws {
        let here = place(1, 1)
        let track = try Track(
            ([0, nil, nil, 9] as [Int64?]).map { second in
                Reading(here, at: second.map { Timestamp(milliseconds: $0 * 1000) })
            },
            pace: 1)
        #expect(seconds(track) == [0, 3, 6, 9])
    }

    @Test func `Resampling interpolates positions and keeps the end`() throws {
        let track = try minute.resampled(every: .milliseconds(2500))
        #expect(track.samples.count == 25)
        #expect(track.samples.map(\.offset) == (0...24).map { .milliseconds(2500 * $0) })
        #expect(track.samples[1].coordinate == place(45, 9.00025))
        #expect(try minute.resampled(every: .seconds(7)).samples.last == minute.samples.last)
    }

    @Test func `Resampling adds nothing where the recorder paused`() throws {
        let track = try track([0, 10, 20, 1000, 1010]).resampled(every: .seconds(5))
        #expect(seconds(track) == [0, 5, 10, 15, 20, 1000, 1005, 1010])
    }

    @Test func `A route without times has no pauses`() throws {
        let track = try track([nil, nil], pace: 1).resampled(every: .seconds(100))
        #expect(track.samples.count == 13)
    }

    @Test func `A track crosses the date line the short way`() throws {
        let track = Track(samples: [sample(0, 0, 179.9), sample(2, 0, -179.9)])
        #expect(try track.resampled(every: .seconds(1)).samples[1].coordinate.longitude == 180)
    }

    @Test func `A standing person still has fixes, near their place`() {
        let track = minute.thenStanding(for: .seconds(60), every: .seconds(10))
        #expect(seconds(track).suffix(7) == [60, 70, 80, 90, 100, 110, 120])
        #expect(
            track.samples.suffix(6).allSatisfy {
                $0.coordinate.distance(to: minute.destination) < 20
            })
    }

    @Test func `Too many samples are refused`() throws {
        let track = try track([0, 1_000_000_000])
        #expect(throws: TrackError.self) { try track.resampled(every: .seconds(1)) }
    }
}
