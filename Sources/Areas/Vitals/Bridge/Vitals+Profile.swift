import Contract
import Limits
import Sealing
import Store
import Tracking

/// The health profile: stored encrypted, for people who have agreed to it.
extension Vitals {
    func profile(_ change: HealthProfile.Change, of person: Person) throws -> [UInt8] {
        if change.isAccepting { _ = try consent(settings.accounts.termsVersion, by: person) }
        var profile = try healthProfile(of: person.id) ?? HealthProfile()
        if change.changesAnything {
            guard let keys = settings.sealingKeys, state.consents[person.id] != nil else {
                throw Problem(
                    .noConsent,
                    "A health profile is only stored after you have agreed "
                        + "(acceptPrivacyStatement).")
            }
            let before = profile.ssn
            profile.apply(change)
            let number = profile.ssn.flatMap { $0 == before ? nil : $0 }
            if number != nil { try countNumber(of: person) }
            try save(profile, of: person.id, keys)
            if let number { try tellClaimants(of: number, keys) }
            noteUsage(.changes, of: person)
        }
        return VitalsResult.profile.bytes(of: (profile, state.consents[person.id]))
    }

    /// Limits a person's changes of the number, to prevent testing which numbers are in use.
    private func countNumber(of person: Person) throws {
        let isCounted = turn.decisions.admits {
            state.numbers.take(person.id, at: .milliseconds(now.milliseconds))
        }
        guard isCounted else {
            let limit = BridgeSettings.maximumNumbers
            throw Problem(.tooMany, "A number can be set \(limit) times a day. Try again tomorrow.")
        }
    }

    /// Notifies everyone who has entered the number that another person has also entered it.
    private func tellClaimants(of number: String, _ keys: SealingKeys) throws {
        let people = try people(
            withMarks: keys.marks(of: HealthProfile.normalized(ssn: number)))
        guard people.count > 1 else { return }
        for person in people { try areas.notices.add(.numberClaimed, for: person) }
    }

    /// Returns nil if there is none, or no key opens it.
    func healthProfile(of user: UserID) throws -> HealthProfile? {
        try storedProfile(of: user)
    }

    /// Returns nil if there is none, or no key opens it.
    func storedProfile(of user: UserID) throws -> HealthProfile? {
        try transaction.healthProfile(of: user).flatMap { opened($0, of: user) }
    }

    private func opened(_ sealed: SealingKeys.Sealed, of user: UserID) -> HealthProfile? {
        let content = settings.sealingKeys?.open(
            sealed, as: Transaction.profileContext(user))
        guard let profile = content.flatMap({ HealthProfile($0) }) else {
            count("vitals-unreadable")
            return nil
        }
        return profile
    }

    private func save(_ profile: HealthProfile, of user: UserID, _ keys: SealingKeys) throws {
        guard !profile.isEmpty else { return try transaction.deleteHealthProfile(of: user) }
        let sealed = keys.seal(
            profile.stored, as: Transaction.profileContext(user), using: &random)
        let mark = profile.ssn.map { keys.mark(of: HealthProfile.normalized(ssn: $0)) }
        try transaction.setHealthProfile(sealed, ssn: mark, of: user)
    }

    /// Returns everyone who has entered the number: its ownership is not checked, and no entry
    /// hides another.
    func people(withSSN ssn: String) throws -> [Person] {
        guard let keys = settings.sealingKeys else { return [] }
        let marks = keys.marks(of: HealthProfile.normalized(ssn: ssn))
        return try people(withMarks: marks)
    }

    func people(withMarks marks: [[UInt8]]) throws -> [Person] {
        try transaction.users(withSSN: marks, atMost: BridgeSettings.maximumClaimants)
            .compactMap { memory.people[$0] }
    }

    /// Returns nil if vital signs, and so numbers, are not stored.
    func mark(ofSSN ssn: String) -> [UInt8]? {
        settings.sealingKeys?.mark(of: HealthProfile.normalized(ssn: ssn))
    }

    /// Encrypts profiles again with the newest key that are encrypted with an older one.
    ///
    /// - Returns: whether there may be more.
    func sealProfilesAnew(atMost limit: Int) throws -> Bool {
        guard let keys = settings.sealingKeys else { return false }
        let rows = try transaction.healthProfiles(
            sealedBefore: keys.newest, after: state.profilesSealedThrough, limit: limit)
        for row in rows {
            state.profilesSealedThrough = row.user
            // A row that no key opens is left unchanged: its key may be restored.
            if let profile = opened(row.sealed, of: row.user) {
                try save(profile, of: row.user, keys)
            }
        }
        if rows.count < limit { state.profilesSealedThrough = UserID(rawValue: 0) }
        return rows.count == limit
    }
}
