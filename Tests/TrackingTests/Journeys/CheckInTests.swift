import Testing
import Tracking

/// A person states until when they are all right, and goes nowhere.
struct CheckInTests {
    private let rules = Rules()
    private let phone = DeviceID(rawValue: 1)
    private let group = GroupID(rawValue: 1)
    private let start = Timestamp(milliseconds: 1_795_344_000_000)

    private func checkIn() throws -> Tracker {
        var tracker = Tracker(user: .ann)
        _ = tracker.join(group, at: start)
        _ = tracker.connect(phone, at: start)
        _ = try tracker.startJourney(
            to: nil, eta: start + .seconds(7_200), with: [group], at: start)
        return tracker
    }

    private func alerts(_ effects: [Effect]) -> [Alert.Kind] {
        effects.compactMap { if case .alert(let alert, _) = $0 { alert.kind } else { nil } }
    }

    /// At home, a fix each minute.
    private func stay(_ tracker: inout Tracker, from first: Int, to last: Int) -> [Effect] {
        stride(from: first, through: last, by: 60).flatMap { second -> [Effect] in
            let now = start + .seconds(second)
            let fix = Fix(coordinate: Road.place(0), takenAt: now, receivedAt: now, accuracy: 5)
            return tracker.receive(fix, from: phone, at: now, rules)
                + tracker.advance(to: now, listeningSince: start, rules)
        }
    }

    @Test func `A check-in at one place is not stuck and does not arrive`() throws {
        var tracker = try checkIn()
        let effects = stay(&tracker, from: 60, to: 7_140)
        #expect(alerts(effects) == [])
        #expect(tracker.journey?.isStuck == false)
        #expect(tracker.warnings == [])
        // The same with a destination elsewhere.
        var traveller = Tracker(user: .ann)
        _ = traveller.join(group, at: start)
        _ = try traveller.startJourney(
            to: Destination(coordinate: Road.place(5_000)), eta: start + .seconds(7_200),
            with: [group], at: start)
        #expect(alerts(stay(&traveller, from: 60, to: 7_140)).contains(.stuck))
    }

    @Test func `A check-in without a word by its time is late, once, until it is stopped`() throws {
        var tracker = try checkIn()
        let effects = stay(&tracker, from: 60, to: 9_000)
        #expect(alerts(effects) == [.late])
        #expect(tracker.warnings == .late)
        #expect(alerts(try tracker.stopJourney(at: start + .seconds(9_010))) == [.journeyStopped])
        #expect(tracker.journey == nil)
        #expect(tracker.session(in: group)?.state == .active)
    }

    @Test func `A check-in can be extended`() throws {
        var tracker = try checkIn()
        _ = stay(&tracker, from: 60, to: 7_260)
        _ = try tracker.extendJourney(eta: start + .seconds(10_000), at: start + .seconds(7_300))
        #expect(tracker.warnings == [])
        #expect(alerts(stay(&tracker, from: 7_320, to: 9_960)) == [])
        #expect(alerts(stay(&tracker, from: 10_020, to: 10_020)) == [.late])
    }
}
