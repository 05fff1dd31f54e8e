import Testing
import Tracking

struct TransitionTests {
    /// The contract, section 6; a fix and an arrival are no actions.
    @Test func `What an action does to a session stands in a table`() {
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

    private func words(for transition: Transition) -> String {
        switch transition {
        case .stays: "stays"
        case .becomes(let target): "\(target)"
        case .refused(let refusal): refusal.rawValue
        }
    }
}
