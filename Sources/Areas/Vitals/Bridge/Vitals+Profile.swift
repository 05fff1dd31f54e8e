import Contract
import JSON
import Sealing
import Store
import Tracking

/// The health profile: kept encrypted, of people who have agreed to it.
extension Vitals {
    func profile(_ change: HealthProfile.Change, of person: Person) throws(Refused) -> [UInt8] {
        if change.isAccepting { _ = try consent(settings.accounts.termsVersion, by: person) }
        var profile = try healthProfile(of: person.id) ?? HealthProfile()
        if change.changesAnything {
            guard let keys = settings.sealingKeys, state.consents[person.id] != nil else {
                throw .problem(
                    Problem(
                        .noConsent,
                        "A health profile is stored once its owner has agreed (acceptPrivacyStatement)."
                    ))
            }
            profile.apply(change)
            try stored { _ throws(StoreError) in try save(profile, of: person.id, keys) }
            noteUsage(.changes, of: person)
        }
        return JSONWriter.object { json in
            json.profile(profile)
            guard let consent = state.consents[person.id] else { return }
            json.key("consent")
            json.consent(consent)
        }
    }

    /// Nil if there is none, or no key opens it.
    func healthProfile(of user: UserID) throws(Refused) -> HealthProfile? {
        try stored { _ throws(StoreError) in try storedProfile(of: user) }
    }

    /// Nil if there is none, or no key opens it.
    func storedProfile(of user: UserID) throws(StoreError) -> HealthProfile? {
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

    private func save(_ profile: HealthProfile, of user: UserID, _ keys: SealingKeys)
        throws(StoreError)
    {
        guard !profile.isEmpty else { return try transaction.deleteHealthProfile(of: user) }
        let sealed = keys.seal(
            profile.stored, as: Transaction.profileContext(user), using: &random)
        let mark = profile.ssn.map { keys.mark(of: HealthProfile.normalized(ssn: $0)) }
        try transaction.setHealthProfile(sealed, ssn: mark, of: user)
    }

    /// Who alone says that the number is theirs; nil if nobody does, or several.
    func person(withSSN ssn: String) throws(Refused) -> Person? {
        guard let keys = settings.sealingKeys else { return nil }
        let marks = keys.marks(of: HealthProfile.normalized(ssn: ssn))
        let users = try stored { transaction throws(StoreError) in
            try transaction.users(withSSN: marks)
        }
        return users.count == 1 ? memory.people[users[0]] : nil
    }

    /// Encrypts profiles that an older key opens with the newest one.
    ///
    /// - Returns: whether there may be more.
    func sealProfilesAnew(atMost limit: Int) throws(StoreError) -> Bool {
        guard let keys = settings.sealingKeys else { return false }
        let rows = try transaction.healthProfiles(
            sealedBefore: keys.newest, after: state.profilesSealedThrough, limit: limit)
        for row in rows {
            state.profilesSealedThrough = row.user
            // What no key opens stays as it is: its key may come back.
            if let profile = opened(row.sealed, of: row.user) {
                try save(profile, of: row.user, keys)
            }
        }
        if rows.count < limit { state.profilesSealedThrough = UserID(rawValue: 0) }
        return rows.count == limit
    }
}
