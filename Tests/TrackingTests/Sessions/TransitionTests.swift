import Testing
import Tracking

struct TransitionTests {
    /// The contract, section 6; a fix and an arrival are not actions.
    @Test func `A table has the effect of every action on a session`() {
        let states: [Session.State] = [.inactive(lastKnown: nil), .active, .routing, .sos]
        let table = Action.allCases.map { action in
            let cells = states.map { words(for: $0.transition(on: action)) }
            return "\(action): " + cells.joined(separator: " | ")
        }
        #expect(
            table.joined(separator: "\n") == """
                startSharing: active | stays | stays | stays
                stopSharing: stays | inactive | inactive | already-in-sos
                startJourney: routing | routing | already-on-a-journey | already-in-sos
                endJourney: not-on-a-journey | not-on-a-journey | active | not-on-a-journey
                triggerSOS: sos | sos | sos | already-in-sos
                stopSOS: not-in-sos | not-in-sos | not-in-sos | active
                """)
    }

    /// A person with one group, which sees this state.
    private func tracker(_ state: String) throws -> Tracker {
        var tracker = Tracker(user: .ann)
        _ = tracker.join(.family, at: noon)
        switch state {
        case "active": _ = try tracker.startSharing(with: [.family], at: noon)
        case "routing": try perform(.startJourney, &tracker)
        case "sos": try perform(.triggerSOS, &tracker)
        default: break
        }
        return tracker
    }

    private let noon = Timestamp(milliseconds: 1_777_636_800_000)

    private func perform(_ action: Action, _ tracker: inout Tracker) throws(Refusal) {
        switch action {
        case .startSharing: _ = try tracker.startSharing(with: [.family], at: noon)
        case .stopSharing: _ = try tracker.stopSharing(with: [.family], at: noon)
        case .startJourney:
            _ = try tracker.startJourney(
                to: Destination(coordinate: Road.place(5000)), eta: noon + .seconds(60),
                with: [.family], at: noon)
        case .endJourney: _ = try tracker.stopJourney(at: noon)
        case .triggerSOS: _ = try tracker.triggerSOS(at: noon, Rules())
        case .stopSOS: _ = try tracker.stopSOS(at: noon)
        }
    }

    @Test(arguments: Action.allCases, ["inactive", "active", "routing", "sos"])
    func `A person's action has the effect in the table`(_ action: Action, _ state: String) throws {
        var tracker = try tracker(state)
        let before = tracker
        let session = try #require(tracker.session(in: .family))
        #expect(session.state.name == state)
        switch session.state.transition(on: action) {
        case .refused(let refusal):
            #expect(throws: refusal) { try perform(action, &tracker) }
            #expect(tracker == before)
        case .stays:
            try perform(action, &tracker)
            #expect(tracker.session(in: .family)?.state == session.state)
        case .becomes(let target):
            try perform(action, &tracker)
            #expect(tracker.session(in: .family)?.state.name == "\(target)")
        }
    }

    private func words(for transition: Transition) -> String {
        switch transition {
        case .stays: "stays"
        case .becomes(let target): "\(target)"
        case .refused(let refusal): refusal.rawValue
        }
    }
}
