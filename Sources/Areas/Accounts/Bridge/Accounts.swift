import Contract
import Directory
import MQTT
import Store
import Tracking

/// Accounts: registering, logging in, passwords, devices, and their end.
final class Accounts: AreaHandler {
    typealias State = AccountsState

    unowned let turn: Turn

    init(_ turn: Turn) { self.turn = turn }

    static let counters = [
        "directory-checks", "directory-doubted", "directory-failures", "directory-gone",
        "directory-put-off", "directory-registrations", "links", "logins", "logins-ended",
        "passkeys-copied", "passwords-failed",
        "passwords-forgotten", "passwords-put-off", "recoveries", "registrations",
        "requests-of-guests",
    ]

    func perform(
        _ command: AccountCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .get: try getAccount(of: person)
        case .update(let change): try updateAccount(of: person, change, device, asker)
        case .changePassword(let change): try changePassword(of: person, change, asker, device)
        case .delete(let password): try deleteAccount(of: person, password, asker, device)
        case .export(let cursor): try turn.exportAccount(of: person, from: cursor)
        case .logOut: try revoke(device, of: person)
        case .avatar(let user): try getAvatar(of: user, for: person)
        case .listDevices: listDevices(of: person, asking: device)
        case .revokeDevice(let name): try revokeDevice(named: name, of: person)
        case .removeDevice(let name): try removeDevice(named: name, of: person, asking: device)
        case .carryDevice(let name): try carryDevice(named: name, of: person)
        case .startSecondFactor(let password):
            try checked(password, of: person, asker, device) { .startSecondFactor($0, $1) }
        case .confirmSecondFactor(let code): try confirmSecondFactor(code, of: person)
        case .stopSecondFactor(let password, let code):
            try checked(password, of: person, asker, device) { .stopSecondFactor($0, $1, code) }
        case .beginPasskey: try beginPasskey(of: person)
        case .addPasskey(let addition):
            try addPasskey(addition, of: person, asker, device)
        case .listPasskeys: try listPasskeys(of: person)
        case .removePasskey(let id, let password):
            try checked(password, of: person, asker, device) { .removePasskey($0, $1, id) }
        case .acceptTerms(let version): try acceptTerms(version, by: person)
        }
    }

    func finish(_ people: [Person]) throws { try answerPasswordRequests() }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(AccountsState.self).next
    }

    static func workers(
        _ settings: BridgeSettings, database: DatabaseAddress, _ outcomes: Outcomes
    ) -> [Worker] {
        let passwords = Worker(PasswordWorker(outcomes).submit)
        guard let directory = settings.directory?.settings else { return [passwords] }
        let client = DirectoryClient(directory)
        let probe = DirectoryProbe(outcomes) { () throws(DirectoryError) in try client.reach() }
        return [
            passwords, Worker(DirectoryWorker(directory, outcomes).submit),
            Worker { _ in probe.ask(at: .now) },
        ]
    }

    func take(_ message: Message, _ topic: Topic) throws -> Bool {
        guard case .guestRequest(let guest, let method) = topic else { return false }
        try takeGuestRequest(message, method, from: guest)
        return true
    }
}

extension Accounts {
    func getAccount(of person: Person) throws -> [UInt8] {
        let (standing, codes) = (
            try transaction.standing(of: person.id),
            try transaction.countRecoveryCodes(of: person.id)
        )
        return AccountResult.account.bytes(
            of: (
                user: person.name, kind: person.kind,
                isOfDirectory: directoryAccount(of: person) != nil, email: person.email,
                isVerified: standing.emailVerifiedAt != nil, firstName: person.firstName,
                lastName: person.lastName, name: person.displayName, createdAt: person.createdAt,
                addableBy: person.addableBy, profile: person.profile,
                secondFactor: standing.secondFactorSince.map { ($0, codes) },
                terms: settings.accounts.termsVersion.map { ($0, standing.terms) },
                pausedUntil: person.tracker.pausedUntil,
                storesNothing: person.tracker.storesNothing
            ))
    }

    /// Updates the account. Changing a verified address, to which password links may be sent, takes
    /// more than an unlocked phone.
    func updateAccount(
        of person: Person, _ change: AccountCommand.Change, _ device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        guard let email = change.email else { return try apply(change, to: person) }
        try checkFree(email, for: person, device)
        guard email.text != person.email, try isVerified(person) else {
            return try apply(change, to: person)
        }
        guard let password = change.password else {
            throw Problem(invalid: [
                .init(field: "password", reason: "is required to change a verified address")
            ])
        }
        return try checked(password, of: person, asker, device) { .update($0, $1, change) }
    }

    /// Applies the changes; a new name appears wherever the old one was shown.
    func apply(_ change: AccountCommand.Change, to person: Person) throws -> [UInt8] {
        let email = change.email?.text ?? person.email
        let first = change.firstName?.text ?? person.firstName
        let last = change.lastName?.text ?? person.lastName
        var shown = person.displayName
        if change.firstName != nil || change.lastName != nil {
            shown = try displayName(first, last, isLastNew: change.lastName != nil)
            try checkRoom(for: shown, of: person)
        }
        try transaction.updateUser(
            person.id, displayName: shown, firstName: first, lastName: last, email: email)
        let isAddressNew = email != person.email
        if isAddressNew { try forgetVerification(of: person) }
        memory.setEmail(email, of: person)
        if isAddressNew, person.kind == .company {
            try sendConfirmation(to: person)
        }
        (person.firstName, person.lastName) = (first, last)
        if shown != person.displayName { try rename(person, to: shown) }
        if let addableBy = change.addableBy, addableBy != person.addableBy {
            try transaction.setAddability(addableBy, of: person.id)
            person.addableBy = addableBy
        }
        try applyProfile(change, to: person)
        return try getAccount(of: person)
    }

    func changePassword(
        of person: Person, _ change: AccountCommand.PasswordChange, _ asker: Requester,
        _ device: Device
    ) throws -> [UInt8]? {
        try refuseIfOrganisations(person)
        let (old, new) = (change.old, change.new)
        guard !new.isName(person.name) else {
            throw Problem(invalid: [.init(field: "new", reason: "must not be the user name")])
        }
        try checkPassword(old, of: person, make: new, asker, device) {
            .setPassword($0, $1, endingAllBut: change.endsOthers ? device.id : nil)
        }
        return nil
    }

    func deleteAccount(
        of person: Person, _ password: Password, _ asker: Requester, _ device: Device
    ) throws -> [UInt8]? {
        try checked(password, of: person, asker, device) { .eraseAccount($0, $1) }
    }

    private func addPasskey(
        _ addition: PasskeyAddition, of person: Person, _ asker: Requester, _ device: Device
    ) throws -> [UInt8]? {
        let new = try verify(addition, of: person)
        return try checked(addition.password, of: person, asker, device) {
            .addPasskey($0, $1, new)
        }
    }

    /// Requests a password check; a later turn replies.
    private func checked(
        _ password: Password, of person: Person, _ asker: Requester, _ device: Device,
        then purpose: (PasswordWork.Target?, AttemptBook.Attempt) -> PasswordWork.Purpose
    ) throws -> [UInt8]? {
        try checkPassword(password, of: person, asker, device, then: purpose)
        return nil
    }

    // MARK: Helpers

    /// Counts an attempt if the address is taken, to slow down probing for registered addresses.
    private func checkFree(_ email: EmailAddress, for person: Person, _ device: Device) throws {
        let attempt = try begin(.user(person.id), from: .device(device.id))
        try checkOwner(of: email, is: person)
        authentication.attempts.takeBack(attempt)
    }

    func checkOwner(of email: EmailAddress, is person: Person) throws {
        if let owner = memory.account(email: email.text), owner !== person {
            throw Problem(invalid: [.init(field: "email", reason: "is taken")])
        }
    }

    private func displayName(_ first: String?, _ last: String?, isLastNew: Bool) throws -> String {
        do throws(DisplayName.Reason) {
            return try PersonalName.display(first, last).text
        } catch {
            throw Problem(invalid: [
                .init(field: isLastNew ? "lastName" : "firstName", reason: error.text)
            ])
        }
    }

    func checkRoom(for name: String, of person: Person) throws {
        for group in person.memberships.map(\.group) {
            var message = group.message
            for index in message.members.indices where message.members[index].user == person.name {
                message.members[index].name = name
            }
            guard message.payload.count + 1024 <= PayloadLimits.maximum else {
                throw Problem(
                    .tooMany, "The names of all members would no longer fit into a message.")
            }
        }
    }

    func rename(_ person: Person, to name: String) throws {
        person.displayName = name
        for group in person.memberships.map(\.group) {
            areas.groups.publishGroup(group)
            try areas.emergencies.noteNames(in: group)
        }
        if person.tracker.friendsSince != nil { note(.urgentLocation, person) }
        areas.shareLinks.noteChange(of: person)
        try turn.apply(person.tracker.changeAppearance(), to: person)
    }
}
