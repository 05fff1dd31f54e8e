import Testing
import Tracking

/// Members who announce to a group that they help.
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

    @Test func `A response is shown to its group alone, counts once and can be withdrawn`() throws {
        var tracker = try calling()
        let coming = response(.coming, in: family)
        #expect(tracker.respond(coming) == [.memberChanged(family, urgent: true)])
        #expect(tracker.respond(coming) == [])
        #expect(tracker.emergency?.responses == [coming])
        let called = response(.called, in: family)
        #expect(tracker.respond(called) == [.memberChanged(family, urgent: true)])
        #expect(
            tracker.takeBackComing(of: ben, in: family, rules)
                == [.memberChanged(family, urgent: true)])
        #expect(tracker.takeBackComing(of: ben, in: family, rules) == [])
        // That someone has called the emergency number stays true.
        #expect(tracker.emergency?.responses == [called])
    }

    @Test func `A response ends with the SOS and with membership on either side`() throws {
        var tracker = try calling()
        _ = tracker.respond(response(.coming, in: family))
        _ = tracker.respond(response(.coming, in: work))
        #expect(
            tracker.forgetResponses(of: ben, in: work, rules)
                == [.memberChanged(work, urgent: true)])
        #expect(tracker.emergency?.responses.map(\.group) == [family])
        _ = tracker.leave(family, at: start + .seconds(10))
        #expect(tracker.emergency?.responses == [])
        _ = tracker.respond(response(.coming, in: work))
        _ = try tracker.stopSOS(at: start + .seconds(20))
        #expect(tracker.respond(response(.coming, in: work)) == [])
        _ = try tracker.triggerSOS(at: start + .seconds(30), rules)
        #expect(tracker.emergency?.responses == [])
    }

    @Test(arguments: [true, false])
    func `A call is repeated again when the only helper withdraws or leaves`(leaves: Bool) throws {
        var tracker = try calling()
        let call = try #require(tracker.emergency?.escalations.first { $0.alert.group == family })
        _ = tracker.respond(response(.coming, in: family))
        #expect(tracker.isHelped(in: family))
        let isStopped = tracker.acknowledge(call.alert.id)
        #expect(isStopped)
        let before = repetitions(&tracker, until: start + .seconds(100))
        #expect(before == [work])
        let later = start + .seconds(105)
        _ =
            leaves
            ? tracker.forgetResponses(of: ben, in: family, rules)
            : tracker.takeBackComing(of: ben, in: family, rules)
        #expect(!tracker.isHelped(in: family))
        // It would have been repeated in the meantime.
        let after = repetitions(&tracker, until: later)
        #expect(after == [family])
    }

    @Test func `A helper's changes of mind do not change the number of repetitions`() throws {
        var tracker = try calling()
        let call = try #require(tracker.emergency?.escalations.first { $0.alert.group == family })
        var count = 0
        for second in stride(from: 10 as Int64, through: 900, by: 50) {
            _ = tracker.respond(response(.coming, in: family))
            _ = tracker.acknowledge(call.alert.id)
            _ = tracker.takeBackComing(of: ben, in: family, rules)
            let groups = repetitions(&tracker, until: start + .seconds(second))
            count += groups.count { $0 == family }
        }
        #expect(count == rules.repeatAtMost)
    }

    @Test func `A call stays answered when one of two helpers withdraws`() throws {
        var tracker = try calling()
        let call = try #require(tracker.emergency?.escalations.first { $0.alert.group == family })
        _ = tracker.respond(response(.coming, in: family))
        let other = HelperResponse(
            user: UserID(rawValue: 9), group: family, kind: .called, at: start)
        _ = tracker.respond(other)
        _ = tracker.acknowledge(call.alert.id)
        _ = tracker.takeBackComing(of: ben, in: family, rules)
        let groups = repetitions(&tracker, until: start + .seconds(130))
        #expect(groups == [work, work])
    }

    /// The groups that are called again.
    private func repetitions(_ tracker: inout Tracker, until end: Timestamp) -> [GroupID] {
        var groups: [GroupID] = []
        while let due = tracker.nextDue(listeningSince: start, rules), due <= end {
            for case .alert(let alert, _) in tracker.advance(
                to: due, listeningSince: start, rules) where alert.kind == .sos
            {
                groups.append(alert.group)
            }
        }
        return groups
    }
}
