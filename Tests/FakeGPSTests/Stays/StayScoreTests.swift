import Testing
import Tracking

@testable import FakeGPS

/// What the rules say of whole tracks.
struct StayScoreTests {
    private func score(_ track: Track) throws -> StayScore {
        try track.score(certain: track.stays(.certain), possible: track.stays(.possible))
    }

    /// An hour on foot, a fix every five seconds.
    private func walk(_ accuracy: (Int) -> Double?) -> Track {
        Track(
            samples: (0..<720).map {
                sample(Double($0 * 5), 46 + Double($0) * 6.3e-5, 14, accuracy: accuracy($0))
            }, gapThreshold: .seconds(60))
    }

    @Test func `A stop is told once`() throws {
        let score = try score(walk { _ in 8 }.thenStanding(for: .seconds(900)))
        #expect(score.told == 1)
        #expect((score.wrong, score.stale, score.missed) == (0, 0, 0))
        #expect((8...11).contains(score.minutes))
    }

    @Test func `A walk, with one fix by a cell tower, is no stay`() throws {
        #expect(try score(walk { $0 == 3 ? 2000 : 8 }).told == 0)
    }

    @Test func `A stay that is not told is missed, and one that is none is wrong`() throws {
        let standing = walk { _ in 8 }.first.thenStanding(for: .seconds(900))
        let walking = walk { _ in 8 }
        #expect(
            try standing.score(as: walking, certain: standing.stays(.certain), possible: [])
                .missed == 1)
        #expect(try standing.score(certain: [], possible: []).wrong == 1)
    }

    @Test func `A stay that is told when it is over is stale`() throws {
        let walking = walk { _ in 8 }
        let standing = walking.first.thenStanding(for: .seconds(900))
        #expect(try walking.score(as: standing, certain: [], possible: []).stale == 1)
    }

    @Test func `A pause of the recorder is a possible stay, and no certain one`() {
        let samples = [sample(0, 46, 14), sample(5, 46, 14), sample(900, 46, 14)]
        let track = Track(samples: samples, gapThreshold: .seconds(60))
        #expect(track.stays(.certain) == [])
        #expect(track.stays(.possible).count == 1)
    }
}
