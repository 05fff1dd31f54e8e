import Testing
import Tracking

@testable import FakeGPS

/// The errors that are added to a recorded track.
struct PhoneErrorTests {
    private let way = Track(
        samples: (0..<20_000).map { sample(Double($0), 46 + Double($0) * 1e-5, 14) })

    @Test func `A seed determines all errors`() {
        let told = way.told(with: .town, seed: 1)
        #expect(told == way.told(with: .town, seed: 1))
        #expect(told != way.told(with: .town, seed: 2))
        #expect(told.samples.map(\.offset) == way.samples.map(\.offset))
    }

    @Test func `Two errors in three are within the accuracy, including cell towers'`() {
        let told = zip(way.samples, way.told(with: .town, seed: 7).samples).map {
            (
                error: $0.coordinate.distance(to: $1.coordinate),
                accuracy: $1.accuracy ?? 0
            )
        }
        for range in [20.0..<200, 500.0..<3001] {
            let some = told.filter { range.contains($0.accuracy) }
            let within = Double(some.filter { $0.error <= $0.accuracy }.count)
            #expect((0.62...0.72).contains(within / Double(some.count)))
        }
        let towers = Double(told.filter { $0.accuracy >= 500 }.count) / 20_000
        #expect((0.09...0.11).contains(towers))
        let mistakes = told.filter { $0.accuracy <= 20 && $0.error > 100 }
        #expect((0.007...0.013).contains(Double(mistakes.count) / 20_000))
    }
}
