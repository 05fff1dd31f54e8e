import Contract
import Store
import Tracking

/// Profiles: how others reach and recognise a person, and the language of their notifications.
extension Accounts {
    /// Applies the changes; groups see them immediately, as far as they are allowed to.
    func applyProfile(_ change: AccountCommand.Change, to person: Person) throws {
        var profile = person.profile
        profile.phone = change.phone.applied(to: profile.phone)
        profile.phoneShownTo = change.phoneShownTo ?? profile.phoneShownTo
        profile.language = change.language.applied(to: profile.language)
        switch change.avatar {
        case .keep: break
        case .remove: profile.avatar = nil
        case .set(let avatar): profile.avatar = avatar.digest
        }
        guard profile != person.profile else { return }
        try transaction.setProfile(profile, of: person.id)
        switch change.avatar {
        case .keep: break
        case .remove: try transaction.setAvatar(nil, of: person.id)
        case .set(let avatar): try transaction.setAvatar(avatar, of: person.id)
        }
        let isSeen = profile.isSeenOtherwise(than: person.profile)
        person.profile = profile
        if isSeen { try turn.apply(person.tracker.changeAppearance(), to: person) }
    }

    /// Returns the picture of an acquaintance. An unknown user, a stranger and a user without a
    /// picture get the same answer.
    func getAvatar(of user: Name, for person: Person) throws -> [UInt8] {
        let none = Problem(.unknownUser, "No picture found for that user.")
        guard let other = memory.person(user), let digest = other.profile.avatar,
            try areas.friends.knows(person, other),
            let png = try transaction.avatar(of: other.id)
        else { throw none }
        return AccountResult.avatar.bytes(of: (other.name, digest, png))
    }
}

extension Profile {
    fileprivate func isSeenOtherwise(than old: Profile) -> Bool {
        (phone, phoneShownTo, avatar) != (old.phone, old.phoneShownTo, old.avatar)
    }
}
