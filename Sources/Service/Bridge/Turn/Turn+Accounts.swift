import Contract
import Store
import Tracking

/// The rules about accounts that several areas apply.
extension Turn {
    /// Returns whether no new account may have the name. A name of a deleted account is taken, too,
    /// and nothing reveals that it is deleted.
    func isTaken(_ name: Name) throws -> Bool {
        let isRetired = try transaction.isRetired(name)
        return memory.account(name) != nil || isRetired
    }

    /// Whether a disabled account must stay operational: groups rely on its owner, or an area needs
    /// it.
    func isStillNeeded(_ person: Person) -> Bool {
        person.tracker.undertaking != .nothing || areas.all.contains { $0.needs(person) }
    }

    /// - Throws: `not-allowed` for a disabled account.
    func checkEnabled(_ person: Person) throws {
        guard person.disabledAt == nil || isStillNeeded(person) else {
            throw Problem(
                .notAllowed,
                "This account is disabled. Only the operator of this server can enable it.")
        }
    }

    /// Gives the device its token, creating the device if necessary; its previous token becomes
    /// invalid.
    func setToken(
        _ hash: [UInt8], of name: Name, _ person: Person, using appProtocol: DeviceRow.AppProtocol
    ) throws {
        let device: Device
        if let known = person.device(named: name) {
            device = known
        } else {
            device = try addDevice(name, to: person, using: appProtocol)
        }
        try transaction.setTokenHash(hash, of: device.id)
        try transaction.beginUse(device.id, at: now)
        (device.hasToken, device.isRemoved, device.unusedSince) = (true, false, now)
    }

    /// Counts a request about a stranger or an unknown user.
    ///
    /// - Throws: `too-many` if the day's quota is used up.
    func countRequestAboutStranger(by person: Person) throws {
        guard person.usage.admits(.strangers, at: now) else { throw problem(ofUsedUp: .strangers) }
        noteUsage(.strangers, of: person)
        note(.save, person)
    }
}
