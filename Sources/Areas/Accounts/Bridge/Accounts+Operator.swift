import Contract
import JSON
import MQTT
import Store
import Tracking

extension Accounts {
    /// Runs the commands that the operator's command line has left in the store. One that the store
    /// rejects, or that repeatedly ended the process, is answered with a problem.
    func takeOperatorRequests() throws(StoreError) {
        for (id, request) in try transaction.operatorRequests() {
            let piece = Turn.Piece.operatorRequest(row: id)
            let isImpossible =
                turn.rejected.contains(piece) || !turn.begins(.operatorRequest(request))
            turn.serving = piece
            let outcome: Reply.Outcome
            do throws(Refused) {
                guard !isImpossible else { throw .problem(Turn.impossible) }
                outcome = .result(try execute(operatorRequest: request))
            } catch {
                switch error {
                case .store(let failure): throw failure
                case .problem(let problem): outcome = .problem(problem)
                }
            }
            let payload = Reply(id: nil, outcome).payload
            try transaction.answerOperator(id, String(decoding: payload, as: UTF8.self))
            turn.serving = nil
        }
        turn.endWork()
    }

    private func execute(operatorRequest json: String) throws(Refused) -> [UInt8] {
        let command: OperatorCommand
        do { command = try OperatorCommand(json: json) } catch { throw .problem(error) }
        return try execute(command)
    }

    /// Answers the operator's request. These requests are not remembered: a repeated one is
    /// executed again.
    ///
    /// - Parameter refusal: the reason to refuse it even if it is valid.
    func takeOperatorRequest(_ message: Message, _ method: String, refusal: Problem? = nil)
        throws(StoreError)
    {
        count("requests-of-operator")
        let replies = turn.asker(message, .operator) { .operatorReplies(suffix: $0) }
        guard let (asker, request) = try turn.read(message, from: replies) else { return }
        let outcome = try turn.outcome { () throws(Refused) in
            if let refusal { throw .problem(refusal) }
            if turn.lacksRoom(for: method) { throw .problem(Turn.noRoom) }
            guard Method.named(method)?.isOperatorsRequest == true else {
                throw .problem(
                    Problem(.unknownMethod, "There is no operator request with that name."))
            }
            var fields = request.fields
            let command: OperatorCommand
            do throws(Problem) {
                command = try OperatorCommand(method, &fields)
            } catch {
                throw .problem(error)
            }
            return try execute(command)
        }
        if let outcome { try turn.reply(to: asker, outcome) }
    }

    private func execute(_ command: OperatorCommand) throws(Refused) -> [UInt8] {
        switch command {
        case .addUser(let name, let displayName, let email, let isSOS):
            return try addUser(name, displayName, email, publishIsSOS: isSOS)
        case .importUsers(let users): return try importUsers(users)
        case .renameUser(let user, let name): return try rename(try person(user), to: name)
        case .revokeDevices(let user, let device):
            let person = try person(user)
            guard let device else {
                let ended = try revokeAll(of: person, but: nil)
                return JSONWriter.object { $0.ended(ended, kept: loggedIn(person, but: nil)) }
            }
            guard let known = person.device(named: device), !known.isRemoved else {
                throw .problem(
                    Problem(.unknownDevice, "That user has no device with that name."))
            }
            return try revoke(known, of: person)
        case .disableUser(let user): return try disable(try person(user))
        case .enableUser(let user): return try enable(try person(user))
        case .listUsers(let page): return try listUsers(page)
        case .listGroups(let page): return try listGroups(page)
        case .removeUser(let name):
            return try turn.eraseAccount(try person(name))
        case .setToken(let user, let device, let hash, let speaksOwnTracks):
            let appProtocol: DeviceRow.AppProtocol = speaksOwnTracks ? .ownTracks : .kith
            let ended = try setToken(hash, of: device, try person(user), using: appProtocol)
            return JSONWriter.object { json in
                guard let ended else { return }
                json.key("ended")
                json.string(ended.name.text)
            }
        case .setPassword(let user, let hash):
            let person = try person(user)
            try refuseIfOrganisations(person)
            try setPassword(hash.text, of: person)
            return Array("{}".utf8)
        case .inviteUser(let user, let hash):
            let person = try person(user)
            try refuseIfOrganisations(person)
            let end = try accept(.password, hash: hash, for: person)
            return JSONWriter.object { json in
                json.key("expiresAt")
                json.time(end)
            }
        case .confirmAddress(let user): return try confirmAddress(of: try person(user))
        case .removeSecondFactor(let user):
            return try removeSecondFactor(of: try person(user))
        case .createGroup(let name, let members):
            return try areas.groups.createGroup(name, of: try people(members))
        case .addMember(let key, let user):
            let group = try group(key)
            try areas.groups.add(try person(user), to: group, by: nil)
            return group.message.payload
        case .removeMember(let key, let user):
            let (group, member) = (try group(key), try person(user))
            guard member.membership(in: group.id) != nil else {
                throw .problem(Problem(.notAMember, "That user is not a member of the group."))
            }
            try areas.groups.remove(member, from: group, by: nil)
            return Array("{}".utf8)
        case .endObserver(let id): return try areas.groups.endObserver(id)
        case .announceMaintenance(let from, let to, let text):
            return try areas.maintenance.announce(from: from, to: to, text)
        case .moveMaintenance(let id, let from, let to, let text):
            return try areas.maintenance.move(id, from: from, to: to, text)
        case .cancelMaintenance(let id): return try areas.maintenance.cancel(id)
        case .listMaintenances: return areas.maintenance.list()
        case .importPlaces(let places): return try areas.places.take(places)
        case .removePlaces(let ids): return try areas.places.remove(ids)
        case .drill(let area): return try areas.dispatch.beginDrills(.exercise, in: area)
        }
    }

    private func person(_ name: Name) throws(Refused) -> Person {
        guard let person = memory.account(name) else {
            throw .problem(Problem(.unknownUser, "There is no user with that name."))
        }
        return person
    }

    /// - Throws: a single refusal that names all unknown users.
    private func people(_ names: [Name]) throws(Refused) -> [Person] {
        let unknown = names.filter { memory.account($0) == nil }
        guard unknown.isEmpty else {
            let list = unknown.map(\.text).joined(separator: ", ")
            throw .problem(
                Problem(
                    .unknownUser,
                    unknown.count == 1
                        ? "There is no user \(list)."
                        : "There are no users with these names: \(list)."))
        }
        return try names.map { name throws(Refused) in try person(name) }
    }

    private func group(_ key: GroupKey) throws(Refused) -> Group {
        guard let group = memory.group(key) else {
            throw .problem(Problem(.unknownGroup, "There is no group with that id."))
        }
        return group
    }

    private static let retirement =
        "belonged to a deleted account; such names are not reused"

    private func addUser(
        _ name: Name, _ displayName: String, _ email: String?, publishIsSOS: Bool
    ) throws(Refused) -> [UInt8] {
        var errors: [Problem.FieldError] = []
        if memory.account(name) != nil { errors.append(.init(field: "user", reason: "is taken")) }
        let isRetired = try stored { transaction throws(StoreError) in
            try transaction.isRetired(name)
        }
        if isRetired { errors.append(.init(field: "user", reason: Accounts.retirement)) }
        if let email, memory.account(email: email) != nil {
            errors.append(.init(field: "email", reason: "is taken"))
        }
        guard errors.isEmpty else { throw .problem(Problem(invalid: errors)) }
        let id = try stored { transaction throws(StoreError) in
            try transaction.insertUser(
                name, displayName: displayName, email: email,
                ownTracksPublishIsSOS: publishIsSOS, at: now)
        }
        memory.add(
            Person(
                UserRow(
                    id: id, name: name, displayName: displayName, email: email,
                    ownTracksPublishIsSOS: publishIsSOS, createdAt: now),
                settings.fairness))
        return JSONWriter.object { json in
            json.key("user")
            json.string(name.text)
        }
    }

    /// Adds users that do not exist yet, and makes all of them members of their groups. A refusal
    /// of one user does not affect the others.
    ///
    /// - Returns: `{added,existing,refused:[{user,reason}]}`.
    private func importUsers(_ users: [OperatorCommand.NewUser]) throws(Refused) -> [UInt8] {
        var (added, existing) = ([Name](), 0)
        var refused: [(Name, String)] = []
        for user in users {
            do throws(Refused) {
                let isNew = memory.account(user.name) == nil
                var group: Group?
                if let key = user.group { group = try self.group(key) }
                if isNew {
                    _ = try addUser(
                        user.name, user.displayName.text, user.email?.text, publishIsSOS: false)
                }
                let person = try self.person(user.name)
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
                guard case .problem(let problem) = error else { throw error }
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
    private func rename(_ person: Person, to name: DisplayName) throws(Refused) -> [UInt8] {
        try checkRoom(for: name.text, of: person)
        try stored { transaction throws(StoreError) in
            try transaction.updateUser(
                person.id, displayName: name.text, firstName: nil, lastName: nil,
                email: person.email)
        }
        (person.firstName, person.lastName) = (nil, nil)
        if name.text != person.displayName { try rename(person, to: name.text) }
        return Array("{}".utf8)
    }
}
