import Testing
import Tracking

@testable import FakeGPS

/// What the rules say of whole tracks, and what they said before they judged each fix by its own
/// accuracy.
struct ReckoningTests {
    private func reckoning(_ track: Track, by judge: any Judge.Type) -> Reckoning {
        track.reckoning(
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
        for judge in [TrackerJudge.self, FormerJudge.self] as [any Judge.Type] {
            let reckoning = reckoning(track, by: judge)
            #expect(reckoning.told == 1)
            #expect((reckoning.wrong, reckoning.missed) == (0, 0))
            #expect((8...11).contains(reckoning.minutes))
        }
    }

    @Test func `One cell tower's fix makes nobody stuck any more`() {
        let track = walk { $0 == 3 ? 2000 : 8 }
        #expect(reckoning(track, by: FormerJudge.self).wrong == 1)
        #expect(reckoning(track, by: TrackerJudge.self).told == 0)
    }

    @Test func `What is not told is missed, and what nobody did is wrong`() {
        let standing = walk { _ in 8 }.first.thenStanding(for: .seconds(900))
        #expect(
            standing.reckoning(by: Mute.self, certain: standing.stays(.certain), possible: [])
                .missed == 1)
        #expect(
            standing.reckoning(by: TrackerJudge.self, certain: [], possible: []).wrong == 1)
    }

    @Test func `A round trip ends with its last fixes, and did with its first`() {
        let trip = walk { _ in 8 }.thereAndBack()
        let start = trip.samples[0].coordinate
        #expect(trip.arrival(at: start, by: FormerJudge.self) == 0)
        #expect(trip.arrival(at: start, by: TrackerJudge.self) == 1433)
    }

    @Test func `Whoever drives somewhere and stands there has arrived`() {
        for seed in 1...40 as ClosedRange<UInt64> {
            let drive = Invention(.drive, seed: seed).track(every: 5)
            let journey = drive.thenStanding(for: .seconds(10))
            #expect(journey.arrival(at: drive.destination, by: TrackerJudge.self) != nil)
        }
    }

    private struct Mute: Judge {
        init(to destination: Coordinate, from first: Timestamp) {}
        mutating func take(_ fix: Fix) -> Judgement? { nil }
    }
}
