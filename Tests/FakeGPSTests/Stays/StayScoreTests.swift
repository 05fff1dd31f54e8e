import Testing
import Tracking

@testable import FakeGPS

/// The rules applied to whole tracks.
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

    @Test func `A stop is reported once`() throws {
        let score = try score(walk { _ in 8 }.thenStanding(for: .seconds(900)))
        #expect(score.told == 1)
        #expect((score.wrong, score.stale, score.missed) == (0, 0, 0))
        #expect((8...11).contains(score.minutes))
    }

    @Test func `A walk with one cell-tower fix is not a stay`() throws {
        #expect(try score(walk { $0 == 3 ? 2000 : 8 }).told == 0)
    }

    @Test func `An unreported stay counts as missed, a false one as wrong`() throws {
        let standing = walk { _ in 8 }.first.thenStanding(for: .seconds(900))
        let walking = walk { _ in 8 }
        #expect(
            try standing.score(as: walking, certain: standing.stays(.certain), possible: [])
                .missed == 1)
        #expect(try standing.score(certain: [], possible: []).wrong == 1)
    }

    @Test func `A stay reported after its end counts as stale`() throws {
        let walking = walk { _ in 8 }
        let standing = walking.first.thenStanding(for: .seconds(900))
        #expect(try walking.score(as: standing, certain: [], possible: []).stale == 1)
    }

    @Test func `A recorder pause is a possible stay but not a certain one`() {
        let samples = [sample(0, 46, 14), sample(5, 46, 14), sample(900, 46, 14)]
        let track = Track(samples: samples, gapThreshold: .seconds(60))
        #expect(track.stays(.certain) == [])
        #expect(track.stays(.possible).count == 1)
    }
}
