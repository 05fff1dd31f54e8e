import Contract
import Store
import Tracking

/// The reason why a request was not done: the request itself, or the store.
enum Refused: Error {
    case problem(Problem)
    case store(StoreError)
}

extension Turn {
    /// Runs queries for a handler that may also refuse.
    func stored<Value>(
        _ body: (Transaction) throws(StoreError) -> Value
    ) throws(Refused) -> Value {
        do { return try body(transaction) } catch { throw .store(error) }
    }

    /// Runs a function of the core for a handler.
    func decided<Value>(_ body: () throws(Refusal) -> Value) throws(Refused) -> Value {
        do { return try body() } catch { throw .problem(Problem(error)) }
    }

    /// Carries out the core's decision.
    func done(_ effects: [Effect], for person: Person) throws(Refused) {
        do { try apply(effects, to: person) } catch { throw .store(error) }
    }
}

extension Problem {
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
