import Contract
import JSON
import Testing
import Tracking

@testable import FakeGPS

/// The readings of an invented person's watch.
struct WearableTests {
    private let now = Timestamp(milliseconds: 1_795_000_000_500)

    private func fix(speed: Double) -> Fix {
        Fix(
            coordinate: place(45, 9), takenAt: now, receivedAt: now, speed: speed)
    }

    @Test func `A seed always gives the same body, and other seeds differ`() {
        let people = (0..<50).map { Wearable(seed: $0) }
        #expect(people == (0..<50).map { Wearable(seed: $0) })
        #expect(Set(people.map(\.restingRate)).count == 50)
        #expect(Set(people.map(\.residence)).count > 1 && Set(people.map(\.gender)).count > 1)
    }

    @Test func `Readings are valid and follow the effort`() throws {
        for seed in 0..<20 {
            let wearable = Wearable(seed: UInt64(seed))
            let rates = try [0.0, 3, 6, 30].map { speed in
                let payload = JSONWriter.value {
                    $0.vitals(wearable.vitals(with: fix(speed: speed)))
                }
                let message = try VitalsMessage(payload, receivedAt: now, FixLimits())
                #expect(message.refusals.isEmpty)
                return try #require(message.samples.first?[.heartRate])
            }
            #expect(rates[0] < rates[1] && rates[1] < rates[2])
            // A driver sits.
            #expect(abs(rates[3] - wearable.restingRate) <= 5)
        }
    }

    @Test func `The introduction is a valid request`() throws {
        let payload = Wearable(seed: 1).introduction.payload(id: "1", now: now)
        _ = try Command(
            method: "health.profile", try Request(payload), at: now, FixLimits())
    }
}
