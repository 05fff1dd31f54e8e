import Testing
import Tracking

/// A journey that is stopped for one of the groups that follow it.
struct StoppedForOneTests {
    private let rules = Rules()
    private let phone = DeviceID(rawValue: 1)
    private let family = GroupID(rawValue: 1)
    private let club = GroupID(rawValue: 2)
    private let work = GroupID(rawValue: 3)
    private let start = Timestamp(milliseconds: 1_795_344_000_000)

    private func travel(with groups: GroupID...) throws -> Tracker {
        var tracker = Tracker(user: .ann)
        for group in [family, club, work] { _ = tracker.join(group, at: start) }
        _ = tracker.connect(phone, at: start)
        _ = try tracker.startJourney(
            to: Destination(coordinate: Road.place(5_000)), eta: start + .seconds(7_200),
            with: groups, at: start)
        return tracker
    }

    private func alerts(_ effects: [Effect]) -> [Alert] {
        effects.compactMap { if case .alert(let alert, _) = $0 { alert } else { nil } }
    }

    @Test func `A group is notified of its stopped journey and sees the person as before`() throws {
        var tracker = try travel(with: family, club)
        let effects = try tracker.stopJourney(with: [club], at: start + .seconds(60))
        #expect(alerts(effects).map(\.kind) == [.journeyStopped])
        #expect(alerts(effects).map(\.group) == [club])
        let number = try #require(tracker.path?.number)
        #expect(effects.contains(.pathWithdrawn(number: number, from: club)))
        #expect(tracker.session(in: club)?.state == .active)
        #expect(tracker.session(in: family)?.state == .routing)
        #expect(tracker.journey != nil)
    }

    @Test func `Stopping a journey for its last group ends it`() throws {
        var tracker = try travel(with: family, club)
        _ = try tracker.stopJourney(with: [club], at: start + .seconds(60))
        let effects = try tracker.stopJourney(with: [family], at: start + .seconds(61))
        #expect(alerts(effects).map(\.group) == [family])
        #expect(tracker.journey == nil && tracker.path == nil)
        #expect(tracker.session(in: family)?.state == .active)
    }

    @Test func `Stopping a journey for a group that does not follow it is refused`() throws {
        var tracker = try travel(with: family)
        let before = tracker
        #expect(throws: Refusal.notOnAJourney) {
            try tracker.stopJourney(with: [family, club], at: start + .seconds(60))
        }
        #expect(throws: Refusal.notAMember) {
            try tracker.stopJourney(with: [GroupID(rawValue: 9)], at: start + .seconds(60))
        }
        #expect(tracker == before)
    }

    @Test
    func `A journey stopped for a group during that group's SOS does not return there`() throws {
        var tracker = try travel(with: family, club)
        _ = try tracker.callInNeed(in: [club], at: start + .seconds(60), rules)
        let effects = try tracker.stopJourney(with: [club], at: start + .seconds(70))
        #expect(alerts(effects).map(\.group) == [club])
        #expect(tracker.session(in: club)?.state == .sos)
        #expect(tracker.session(in: family)?.state == .routing)
        _ = try tracker.stopSOS(at: start + .seconds(80))
        #expect(tracker.session(in: club)?.state == .active)
        #expect(tracker.session(in: family)?.state == .routing)
        #expect(tracker.journey != nil)
    }
}
