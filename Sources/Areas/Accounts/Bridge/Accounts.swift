import Contract
import JSON
import Languages
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
        "requests-of-guests", "requests-of-operator",
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

    func take(_ message: Message, _ topic: Topic) throws -> Bool {
        switch topic {
        case .guestRequest(let guest, let method):
            try takeGuestRequest(message, method, from: guest)
        case .operatorRequest(let method): try takeOperatorRequest(message, method)
        default: return false
        }
        return true
    }
}

extension Accounts {
    func getAccount(of person: Person) throws -> [UInt8] {
        let (standing, codes) = (
            try transaction.standing(of: person.id),
            try transaction.countRecoveryCodes(of: person.id)
        )
        return JSONWriter.object { json in
            func text(_ key: StaticString, _ value: String?) {
                guard let value else { return }
                json.key(key)
                json.string(value)
            }
            text("user", person.name.text)
            if person.kind != .person { text("kind", person.kind.rawValue) }
            if directoryAccount(of: person) != nil {
                json.key("directory")
                json.bool(true)
            }
            text("email", person.email)
            if standing.emailVerifiedAt != nil {
                json.key("emailVerified")
                json.bool(true)
            }
            text("firstName", person.firstName)
            text("lastName", person.lastName)
            text("name", person.displayName)
            json.key("createdAt")
            json.time(person.createdAt)
            text("addableBy", person.addableBy.rawValue)
            text("phone", person.profile.phone?.text)
            text("phoneShownTo", person.profile.phoneShownTo.rawValue)
            text("language", person.profile.language?.rawValue)
            text("avatar", person.profile.avatar)
            if let since = standing.secondFactorSince {
                json.key("secondFactor")
                json.object { json in
                    json.key("since")
                    json.time(since)
                    json.key("recoveryCodes")
                    json.number(codes)
                }
            }
            if let version = settings.accounts.termsVersion {
                json.terms(version, accepted: standing.terms)
            }
            if let pausedUntil = person.tracker.pausedUntil {
                json.key("pausedUntil")
                json.time(pausedUntil)
            }
            guard person.tracker.storesNothing else { return }
            json.key("storing")
            json.bool(false)
        }
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
        for membership in person.memberships { areas.groups.publishGroup(membership.group) }
        if person.tracker.friendsSince != nil { note(.urgentLocation, person) }
        if !person.shareLinks.isEmpty { note(.shareLinks, person) }
        try areas.emergencies.noteName(of: person)
        try turn.apply(person.tracker.changeAppearance(), to: person)
    }
}
