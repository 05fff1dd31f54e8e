import Contract
import JSON
import Store
import Tracking

extension Accounts {
    func perform(_ command: AccountOperatorCommand) throws -> [UInt8] {
        switch command {
        case .list(let page): return try listUsers(page)
        case .add(let name, let displayName, let email, let isSOS):
            return try addUser(name, displayName, email, publishIsSOS: isSOS)
        case .import(let users): return try importUsers(users)
        case .rename(let user, let name): return try rename(try turn.account(user), to: name)
        case .revokeDevices(let user, let device):
            let person = try turn.account(user)
            guard let device else {
                let ended = try revokeAll(of: person, but: nil)
                return AccountResult.ended.bytes(
                    of: .init(devices: ended, kept: loggedIn(person, but: nil)))
            }
            guard let known = person.device(named: device), !known.isRemoved else {
                throw Problem(.unknownDevice, "That user has no device with that name.")
            }
            return try revoke(known, of: person)
        case .disable(let user): return try disable(try turn.account(user))
        case .enable(let user): return try enable(try turn.account(user))
        case .remove(let user): return try turn.eraseAccount(try turn.account(user))
        case .setToken(let user, let device, let hash, let speaksOwnTracks):
            let appProtocol: DeviceRow.AppProtocol = speaksOwnTracks ? .ownTracks : .kith
            let ended = try setToken(hash, of: device, try turn.account(user), using: appProtocol)
            return JSONWriter.object { json in
                guard let ended else { return }
                json.key("ended")
                json.string(ended.name.text)
            }
        case .setPassword(let user, let hash):
            let person = try turn.account(user)
            try refuseIfOrganisations(person)
            try setPassword(hash.text, of: person)
            return Array("{}".utf8)
        case .invite(let user, let hash):
            let person = try turn.account(user)
            try refuseIfOrganisations(person)
            let end = try accept(.password, hash: hash, for: person)
            return JSONWriter.object { json in
                json.key("expiresAt")
                json.time(end)
            }
        case .removeSecondFactor(let user):
            return try removeSecondFactor(of: try turn.account(user))
        case .confirmAddress(let user): return try confirmAddress(of: try turn.account(user))
        }
    }

    private static let retirement =
        "belonged to a deleted account; such names are not reused"

    private func addUser(
        _ name: Name, _ displayName: DisplayName, _ email: EmailAddress?, publishIsSOS: Bool
    ) throws -> [UInt8] {
        var errors: [Problem.FieldError] = []
        if memory.account(name) != nil { errors.append(.init(field: "user", reason: "is taken")) }
        let isRetired = try transaction.isRetired(name)
        if isRetired { errors.append(.init(field: "user", reason: Accounts.retirement)) }
        if let email, memory.account(email: email.text) != nil {
            errors.append(.init(field: "email", reason: "is taken"))
        }
        guard errors.isEmpty else { throw Problem(invalid: errors) }
        let id = try transaction.insertUser(
            name, displayName: displayName.text, email: email?.text,
            ownTracksPublishIsSOS: publishIsSOS, at: now)
        memory.add(
            Person(
                UserRow(
                    id: id, name: name, displayName: displayName.text, email: email?.text,
                    ownTracksPublishIsSOS: publishIsSOS, createdAt: now),
                settings.fairness))
        return AccountResult.user.bytes(of: name)
    }

    /// Adds users that do not exist yet, and makes all of them members of their groups. A refusal
    /// of one user does not affect the others.
    ///
    /// - Returns: `{added,existing,refused:[{user,reason}]}`.
    private func importUsers(_ users: [OperatorCommand.NewUser]) throws -> [UInt8] {
        var (added, existing) = ([Name](), 0)
        var refused: [(Name, String)] = []
        for user in users {
            do {
                let isNew = memory.account(user.name) == nil
                var group: Group?
                if let key = user.group { group = try turn.group(key) }
                if isNew {
                    _ = try addUser(
                        user.name, user.displayName, user.email, publishIsSOS: false)
                }
                let person = try turn.account(user.name)
                if isNew {
                    // The link works even if a later step is refused.
                    added.append(user.name)
                    if let link = user.link { _ = try accept(.password, hash: link, for: person) }
                } else {
                    existing += 1
                }
                if let group, person.membership(in: group.id) == nil {
                    try areas.groups.add(person, to: group, by: nil)
                }
            } catch {
                guard let problem = Problem(of: error) else { throw error }
                let reasons = problem.errors.map { "\($0.field) \($0.reason)" }
                refused.append(
                    (
                        user.name,
                        reasons.isEmpty ? problem.detail : reasons.joined(separator: ", ")
                    ))
            }
        }
        return JSONWriter.object { json in
            json.key("added")
            json.array(added) { $0.string($1.text) }
            json.key("existing")
            json.number(existing)
            json.key("refused")
            json.array(refused) { json, refusal in
                json.object { json in
                    json.key("user")
                    json.string(refusal.0.text)
                    json.key("reason")
                    json.string(refusal.1)
                }
            }
        }
    }

    /// Renames the person; the operator's name has no first and last part.
    private func rename(_ person: Person, to name: DisplayName) throws -> [UInt8] {
        try checkRoom(for: name.text, of: person)
        try transaction.updateUser(
            person.id, displayName: name.text, firstName: nil, lastName: nil, email: person.email)
        (person.firstName, person.lastName) = (nil, nil)
        if name.text != person.displayName { try rename(person, to: name.text) }
        return Array("{}".utf8)
    }
}
