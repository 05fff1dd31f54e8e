import Foundation
import Testing
import Tracking

/// Trackers are stored as JSON: those of earlier versions open, and what they kept does no harm.
struct EarlierVersionTests {
    /// What was stored when a cell tower's fix had made somebody stuck, word for word.
    private let journey = """
        {"destination":{"coordinate":{"latitudeE7":460045000,"longitudeE7":145000000},\
        "name":"the lake"},"eta":1777633200000,"isLate":false,"startedAt":1777629600000,\
        "stillness":{"anchor":{"accuracy":2000,"coordinate":{"latitudeE7":460000000,\
        "longitudeE7":145000000},"takenAt":1777629660000},"isStuck":true}}
        """

    @Test func `A journey of an earlier version opens`() throws {
        let journey = try JSONDecoder().decode(Journey.self, from: Data(journey.utf8))
        #expect(journey.isStuck)
        #expect(journey.destination.name == "the lake")
        let again = try JSONDecoder().decode(
            Journey.self, from: try JSONEncoder().encode(journey))
        #expect(again == journey)
    }

    @Test func `Whom the earlier version held for stuck moves again, and arrives`() throws {
        var stage = try Timeline.stage(after: "\(Opening.journey)\n10:04:00 phone at 0 m")
        var tracker = try #require(
            JSONSerialization.jsonObject(with: JSONEncoder().encode(stage.tracker))
                as? [String: Any])
        tracker["journey"] = try JSONSerialization.jsonObject(with: Data(journey.utf8))
        stage.tracker = try JSONDecoder().decode(
            Tracker.self, from: JSONSerialization.data(withJSONObject: tracker))
        #expect(stage.tracker.journey?.isStuck == true)
        var told: [(Int, Alert.Kind)] = []
        for (index, metres) in [300.0, 320, 380, 400, 440, 480, 495].enumerated() {
            let now = try #require(Timestamp(clock: "10:05:\(10 + index)"))
            let fix = Fix(coordinate: Road.place(metres), takenAt: now, receivedAt: now)
            told += stage.apply(.fix(fix, .phone), at: now).alerts.map { (index, $0.kind) }
        }
        #expect(told.map(\.0) == [3, 6])
        #expect(told.map(\.1) == [.moving, .journeyArrived])
    }
}
