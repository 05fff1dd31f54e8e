import Testing
import Tracking

/// Who says to a group that they help.
struct HelperResponseTests {
    private let rules = Rules()
    private let family = GroupID(rawValue: 1)
    private let work = GroupID(rawValue: 2)
    private let ben = UserID(rawValue: 8)
    private let start = Timestamp(milliseconds: 1_795_344_000_000)

    private func calling() throws -> Tracker {
        var tracker = Tracker(user: .ann)
        _ = tracker.join(family, at: start)
        _ = tracker.join(work, at: start)
        _ = try tracker.triggerSOS(at: start, rules)
        return tracker
    }

    private func response(_ kind: HelperResponse.Kind, in group: GroupID) -> HelperResponse {
        HelperResponse(user: ben, group: group, kind: kind, at: start + .seconds(5))
    }

    @Test func `It is seen by that group alone, said once, and taken back`() throws {
        var tracker = try calling()
        let coming = response(.coming, in: family)
        #expect(tracker.respond(coming) == [.memberChanged(family, urgent: true)])
        #expect(tracker.respond(coming) == [])
        #expect(tracker.emergency?.responses == [coming])
        let called = response(.called, in: family)
        #expect(tracker.respond(called) == [.memberChanged(family, urgent: true)])
        #expect(
            tracker.takeBackComing(of: ben, in: family) == [.memberChanged(family, urgent: true)])
        #expect(tracker.takeBackComing(of: ben, in: family) == [])
        // That somebody has called the emergency number stays true.
        #expect(tracker.emergency?.responses == [called])
    }

    @Test func `It ends with the SOS, and with membership on either side`() throws {
        var tracker = try calling()
        _ = tracker.respond(response(.coming, in: family))
        _ = tracker.respond(response(.coming, in: work))
        #expect(
            tracker.forgetResponses(of: ben, in: work) == [.memberChanged(work, urgent: true)])
        #expect(tracker.emergency?.responses.map(\.group) == [family])
        _ = tracker.leave(family, at: start + .seconds(10))
        #expect(tracker.emergency?.responses == [])
        _ = tracker.respond(response(.coming, in: work))
        _ = try tracker.stopSOS(at: start + .seconds(20))
        #expect(tracker.respond(response(.coming, in: work)) == [])
        _ = try tracker.triggerSOS(at: start + .seconds(30), rules)
        #expect(tracker.emergency?.responses == [])
    }
}
