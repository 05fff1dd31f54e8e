import Testing
import Tracking

@testable import FakeGPS

/// Stays found in a whole track, without the rules.
struct StayTests {
    /// A minute's walk, some minutes at one place, and a minute's walk.
    private func stop(of minutes: Int, every step: Int = 5) -> Track {
        let standing = minutes * 60
        return track(until: standing + 120, every: step) { second in
            Double(max(0, min(second, 60)) + max(0, second - 60 - standing)) * 1.4
        }
    }

    private func track(until end: Int, every step: Int, metres: (Int) -> Double) -> Track {
        Track(
            samples: stride(from: 0, through: end, by: step).map {
                sample(Double($0), metres($0) / 110_574, 10)
            })
    }

    @Test func `A stop of seven minutes is found at its time`() throws {
        let stay = try #require(stop(of: 7).stays(.certain).first)
        // 25 m around the place take up to 18 s of walking on either side.
        #expect((.seconds(42) ... .seconds(60)).contains(stay.from))
        #expect((.seconds(480) ... .seconds(498)).contains(stay.through))
        #expect(stop(of: 7).stays(.certain).count == 1)
    }

    @Test func `A stop of a few minutes is too short`() {
        #expect(stop(of: 4).stays(.certain) == [])
        #expect(stop(of: 2).stays(.possible) == [])
    }

    @Test(arguments: [0.5, 1.4, 20])
    func `A moving person produces no stays`(pace: Double) {
        let walk = track(until: 3600, every: 5) { Double($0) * pace }
        #expect(walk.stays(.possible) == [])
    }

    @Test func `A gap is a stay if it ends where it began`() {
        let place = sample(0, 46, 14)
        func track(_ latitude: Double) -> Track {
            Track(samples: [place, sample(5, 46, 14), sample(900, latitude, 14)])
        }
        #expect(track(46.0003).stays(.certain).map(\.through) == [.seconds(900)])
        #expect(track(46.003).stays(.certain) == [])
    }

    @Test func `A single jump to and fro does not end a possible stay`() {
        let standing = track(until: 600, every: 5) { $0 == 300 ? 900 : 0 }
        #expect(standing.stays(.possible).count == 1)
    }
}
