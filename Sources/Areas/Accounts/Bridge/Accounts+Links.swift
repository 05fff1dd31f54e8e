import Contract
import JSON
import Store
import Tracking

/// Links by which people prove that an account or an address is theirs.
///
/// The party that delivers a link (the operator, mail) creates it and registers it with
/// ``accept(_:hash:for:)``; there is no other way.
extension Accounts {
    /// Returns how long a link is valid.
    static func lifetime(_ purpose: AccountLink.Purpose) -> Duration {
        switch purpose {
        case .password, .email: .seconds(3 * 86_400)
        // The requester is waiting for it.
        case .forgotten: .seconds(86_400)
        }
    }

    /// Makes the link valid for one use; earlier ones for the same purpose become invalid.
    ///
    /// - Returns: when it expires.
    @discardableResult
    func accept(_ purpose: AccountLink.Purpose, hash: [UInt8], for person: Person)
        throws -> Timestamp
    {
        let end = now + Accounts.lifetime(purpose)
        try transaction.setLink(hash, purpose, of: person.id, until: end)
        count("links")
        return end
    }

    private func owner(of link: [UInt8], _ purposes: AccountLink.Purpose...) throws -> Person {
        for purpose in purposes {
            if let user = try transaction.ownerOfLink(link, purpose, at: now),
                let person = memory.people[user]
            {
                return person
            }
        }
        throw Problem(
            .unknownLink, "The link has been used, has expired, or was replaced by another.")
    }

    // MARK: Setting passwords

    func recover(
        _ recovery: AccountGuestCommand.Recovery, from source: AttemptBook.Source,
        _ asker: Requester
    ) throws {
        let attempt = try begin(.link, from: source)
        let person = try owner(of: recovery.link.hash, .password, .forgotten)
        try refuseIfOrganisations(person)
        try turn.checkEnabled(person)
        guard !recovery.password.isName(person.name) else {
            authentication.attempts.takeBack(attempt)
            throw Problem(invalid: [.init(field: "password", reason: "must not be the user name")])
        }
        let salt = PasswordHash.salt(using: &random)
        try ask(
            PasswordWork(
                asker: asker, purpose: .recover(recovery, attempt),
                make: (recovery.password, salt, authentication.cost)),
            attempt)
    }

    func finishRecovery(
        _ recovery: AccountGuestCommand.Recovery, _ attempt: AttemptBook.Attempt,
        passwordHash: String
    ) throws -> [UInt8] {
        let person = try owner(of: recovery.link.hash, .password, .forgotten)
        try refuseIfOrganisations(person)
        try turn.checkEnabled(person)
        authentication.attempts.succeed(attempt)
        try setPassword(passwordHash, of: person)
        let ended =
            recovery.endsOthers
            ? try endOthers(of: person, but: nil)
            : .init(devices: 0, kept: loggedIn(person, but: nil))
        var login: AccountResult.Login?
        if let device = recovery.device, try !hasSecondFactor(person) {
            login = try logIn(person, device: device)
        }
        count("recoveries")
        return JSONWriter.object { json in
            json.members(AccountResult.user, person.name)
            json.members(AccountResult.ended, ended)
            if let login { json.members(AccountResult.device, login) }
        }
    }

    /// Stores a new password, however it was set: other links that set a password become invalid,
    /// and the person is notified.
    func setPassword(_ hash: String, of person: Person) throws {
        let isFirst = try transaction.passwordHash(of: person.id) == nil
        try transaction.setPasswordHash(hash, of: person.id)
        try leaveDirectory(person)
        for purpose in [AccountLink.Purpose.password, .forgotten] {
            try transaction.deleteLinks(of: person.id, purpose)
        }
        if !isFirst { try areas.notices.add(.passwordChanged, for: person) }
    }

    /// Logs out the other devices, and ends everything else by which others may use the account or
    /// follow the person.
    ///
    /// - Parameter kept: the device that stays logged in.
    func endOthers(of person: Person, but kept: DeviceID?) throws -> AccountResult.Ended {
        let devices = try revokeAll(of: person, but: kept)
        let passkeys = try removePasskeys(of: person)
        let links = try endShareLinks(of: person)
        let observers = try endObservers(of: person)
        return .init(
            devices: devices, kept: loggedIn(person, but: kept), passkeys: passkeys, links: links,
            observers: observers)
    }

    /// Ends all share links: an intruder may have kept one to go on following the person.
    ///
    /// - Returns: the number of links.
    func endShareLinks(of person: Person) throws -> Int {
        try areas.shareLinks.endAll(of: person)
    }

    /// Ends all observers to which the person, or an intruder, shows what a group sees.
    ///
    /// - Returns: the number of observers.
    func endObservers(of person: Person) throws -> Int {
        try areas.groups.endObservers(of: person)
    }

    // MARK: Verifying addresses

    func isVerified(_ person: Person) throws -> Bool {
        let standing = try transaction.standing(of: person.id)
        return standing.emailVerifiedAt != nil
    }

    /// Records proof of an address: a person who reads mail sent to it owns it. If it is the
    /// account's, it becomes verified.
    func proved(_ address: String, of person: Person) throws {
        guard let own = person.email, EmailAddress.folded(own) == EmailAddress.folded(address),
            try !isVerified(person)
        else { return }
        try verifyAddress(of: person)
    }

    /// Marks the address as verified: confirmation links for it end, and invitations waiting for it
    /// reach the person.
    private func verifyAddress(of person: Person) throws {
        try transaction.setEmailVerified(at: now, of: person.id)
        try transaction.deleteLinks(of: person.id, .email)
        if let own = person.email { try areas.invitations.noteProof(of: own) }
    }

    func verifyEmail(_ link: TokenSecret, from source: AttemptBook.Source) throws -> [UInt8] {
        let attempt = try begin(.link, from: source)
        let person = try owner(of: link.hash, .email)
        authentication.attempts.succeed(attempt)
        try verifyAddress(of: person)
        return Array("{}".utf8)
    }

    /// Clears the verification, since mail to the old address proves nothing about the new one. The
    /// person is notified.
    func forgetVerification(of person: Person) throws {
        try areas.notices.add(.emailChanged, for: person)
        try transaction.setEmailVerified(at: nil, of: person.id)
        for purpose in AccountLink.Purpose.allCases {
            try transaction.deleteLinks(of: person.id, purpose)
        }
    }

    /// Verifies the address on the operator's word.
    func confirmAddress(of person: Person) throws -> [UInt8] {
        guard person.email != nil else { throw Problem(.notAllowed, "The account has no address.") }
        if try !isVerified(person) {
            try verifyAddress(of: person)
        }
        return Array("{}".utf8)
    }
}
