import Testing
import Tracking

@testable import FakeGPS

/// What the rules say of whole tracks, and what they said before they judged each fix by its own
/// accuracy.
struct StayScoreTests {
    private func score(_ track: Track, by judge: any StayDetector.Type) -> StayScore {
        track.score(
            by: judge, certain: track.stays(.certain), possible: track.stays(.possible))
    }

    /// An hour on foot, a fix every five seconds.
    private func walk(_ accuracy: (Int) -> Double?) -> Track {
        Track(
            samples: (0..<720).map {
                sample(Double($0 * 5), 46 + Double($0) * 6.3e-5, 14, accuracy: accuracy($0))
            })
    }

    @Test func `A stop is told once, by the former rules as well`() {
        let track = walk { _ in 8 }.thenStanding(for: .seconds(900))
        for judge in [TrackerStayDetector.self, FormerStayDetector.self] as [any StayDetector.Type]
        {
            let score = score(track, by: judge)
            #expect(score.told == 1)
            #expect((score.wrong, score.missed) == (0, 0))
            #expect((8...11).contains(score.minutes))
        }
    }

    @Test func `One cell tower's fix makes nobody stuck any more`() {
        let track = walk { $0 == 3 ? 2000 : 8 }
        #expect(score(track, by: FormerStayDetector.self).wrong == 1)
        #expect(score(track, by: TrackerStayDetector.self).told == 0)
    }

    @Test func `What is not told is missed, and what nobody did is wrong`() {
        let standing = walk { _ in 8 }.first.thenStanding(for: .seconds(900))
        #expect(
            standing.score(by: Mute.self, certain: standing.stays(.certain), possible: [])
                .missed == 1)
        #expect(
            standing.score(by: TrackerStayDetector.self, certain: [], possible: []).wrong == 1)
    }

    @Test func `A round trip ends with its last fixes, and did with its first`() {
        let trip = walk { _ in 8 }.thereAndBack()
        let start = trip.samples[0].coordinate
        #expect(trip.arrival(at: start, by: FormerStayDetector.self) == 0)
        #expect(trip.arrival(at: start, by: TrackerStayDetector.self) == 1433)
    }

    @Test func `Whoever drives somewhere and stands there has arrived`() {
        for seed in 1...40 as ClosedRange<UInt64> {
            let drive = GeneratedTrack(.drive, seed: seed).track(every: 5)
            let journey = drive.thenStanding(for: .seconds(10))
            #expect(journey.arrival(at: drive.destination, by: TrackerStayDetector.self) != nil)
        }
    }

    private struct Mute: StayDetector {
        init(to destination: Coordinate, from first: Timestamp) {}
        mutating func take(_ fix: Fix) -> StayJudgement? { nil }
    }
}
