import Contract
import Store
import Tracking

extension Turn {
    /// Records, once an hour, that a viewer has requested where a person is or was.
    func noteLook(_ what: AccessEntry.What, at person: Person, by viewer: Person) throws {
        guard person !== viewer else { return }
        let last = try transaction.lastLook(what, at: person.id, by: viewer.id)
        if let last, last <= now, now < last + Turn.lookPeriod { return }
        let by = AccessEntry.By.user(viewer.name, displayName: viewer.displayName)
        try transaction.log(
            AccessEntry(at: now, by: by, what: what), of: person.id, by: viewer.id)
    }

    private static let lookPeriod = Duration.seconds(3_600)
}
