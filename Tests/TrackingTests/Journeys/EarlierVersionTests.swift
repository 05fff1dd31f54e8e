import Foundation
import TestSupport
import Testing
import Tracking

@testable import Store

/// Trackers are stored as JSON: those of earlier versions open, and their content does no harm.
struct EarlierVersionTests {
    /// The stored text, verbatim, after a cell tower's fix had made a person stuck.
    private let journey = """
        {"destination":{"coordinate":{"latitudeE7":460045000,"longitudeE7":145000000},\
        "name":"the lake"},"eta":1777633200000,"isLate":false,"startedAt":1777629600000,\
        "stillness":{"anchor":{"accuracy":2000,"coordinate":{"latitudeE7":460000000,\
        "longitudeE7":145000000},"takenAt":1777629660000},"isStuck":true}}
        """

    /// A tracker on the way whose journey is the stored one.
    private func opened() throws -> Stage {
        var stage = try Timeline.stage(after: "\(Opening.journey)\n10:04:00 phone at 0 m")
        let now = Document.text(SavedTracker(tracker: stage.tracker, logs: []))
        var saved = try #require(
            JSONSerialization.jsonObject(with: Data(now.utf8)) as? [String: Any])
        var tracker = try #require(saved["tracker"] as? [String: Any])
        tracker["journey"] = try JSONSerialization.jsonObject(with: Data(journey.utf8))
        saved["tracker"] = tracker
        let text = String(
            decoding: try JSONSerialization.data(withJSONObject: saved), as: UTF8.self)
        stage.tracker = try Document.savedTracker(text).tracker
        return stage
    }

    @Test func `A journey of an earlier version opens`() throws {
        let tracker = try opened().tracker
        let journey = try #require(tracker.journey)
        #expect(journey.isStuck)
        #expect(journey.destination?.name == "the lake")
        let again = Document.text(SavedTracker(tracker: tracker, logs: []))
        #expect(try Document.savedTracker(again).tracker == tracker)
    }

    /// Its beginning is unknown, so a nearby arrival takes a stay.
    @Test func `A person stuck by an earlier version moves again and arrives`() throws {
        var stage = try opened()
        #expect(stage.tracker.journey?.isStuck == true)
        var told: [(Timestamp, Alert.Kind)] = []
        var now = try #require(Timestamp(clock: "10:10:00"))
        for metres in [300.0, 320, 380, 400, 440, 480, 495] + Array(repeating: 495, count: 30) {
            now = now + .seconds(10)
            let fix = Fix(coordinate: Road.place(metres), takenAt: now, receivedAt: now)
            told += stage.apply(.fix(fix, .phone), at: now).alerts.map { (now, $0.kind) }
        }
        #expect(told.map(\.0) == [Timestamp(clock: "10:10:40"), Timestamp(clock: "10:16:00")])
        #expect(told.map(\.1) == [.moving, .journeyArrived])
    }
}
