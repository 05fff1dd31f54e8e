import Contract
import Tracking

extension Problem {
    /// The reason why a handler refused a request; nil if its error is a failure of the turn.
    init?(of error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let refusal as Refusal: self.init(refusal)
        default: return nil
        }
    }

    init(_ refusal: Refusal) {
        switch refusal {
        case .alreadyOnAJourney:
            self.init(.alreadyOnAJourney, "Stop the journey first, or extend it.")
        case .notOnAJourney: self.init(.notOnAJourney, "There is no journey to stop or extend.")
        case .alreadyInSOS:
            self.init(
                .alreadyInSOS, "Your SOS is still active. To begin anything else, stop it first.")
        case .notInSOS: self.init(.notInSOS, "There is no SOS to stop.")
        case .notAMember: self.init(.notAMember, "You are not a member of that group.")
        case .etaPassed:
            self.init(invalid: [.init(field: "eta", reason: "must be in the future")])
        }
    }
}
