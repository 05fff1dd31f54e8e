import Contract
import Store
import Tracking

extension Turn {
    /// Carries out the core's decision for anything but an ordinary fix; the tracker is saved in
    /// the same transaction.
    func apply(_ effects: [Effect], to person: Person) throws {
        note([.save, .schedule], person)
        for effect in effects { try apply(effect, to: person, newFix: nil) }
    }

    /// - Parameter newFix: the fix that was just stored, for effects that refer to it.
    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        for area in areas.all { try area.apply(effect, to: person, newFix: newFix) }
    }
}
