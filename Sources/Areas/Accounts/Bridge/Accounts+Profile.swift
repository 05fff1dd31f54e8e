import Base64
import Contract
import JSON
import Store
import Tracking

/// How others reach and recognise somebody, and in which language that person is told things.
extension Accounts {
    /// Changes what is to be changed; the groups see it at once, as far as they may.
    func applyProfile(_ change: AccountCommand.Change, to person: Person) throws(Refused) {
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
        try stored { transaction throws(StoreError) in
            try transaction.setProfile(profile, of: person.id)
            switch change.avatar {
            case .keep: break
            case .remove: try transaction.setAvatar(nil, of: person.id)
            case .set(let avatar): try transaction.setAvatar(avatar, of: person.id)
            }
        }
        let isSeen = profile.isSeenOtherwise(than: person.profile)
        person.profile = profile
        if isSeen { try done(person.tracker.changeAppearance(), for: person) }
    }

    /// Returns the picture of somebody whom the person knows. Whoever is unknown, is a stranger or has
    /// no picture gets the same answer.
    func getAvatar(of user: Name, for person: Person) throws(Refused) -> [UInt8] {
        let none = Refused.problem(
            Problem(.unknownUser, "Nobody whom you know by that name has a picture."))
        guard let other = memory.person(user), let digest = other.profile.avatar,
            try areas.friends.knows(person, other),
            let png = try stored({ transaction throws(StoreError) in
                try transaction.avatar(of: other.id)
            })
        else { throw none }
        return JSONWriter.object { json in
            json.key("user")
            json.string(other.name.text)
            json.key("digest")
            json.string(digest)
            json.key("avatar")
            json.string(Base64.encode(png))
        }
    }
}

extension Profile {
    fileprivate func isSeenOtherwise(than old: Profile) -> Bool {
        (phone, phoneShownTo, avatar) != (old.phone, old.phoneShownTo, old.avatar)
    }
}
