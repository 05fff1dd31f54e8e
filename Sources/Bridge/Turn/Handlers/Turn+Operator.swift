import Contract
import Store
import Tracking

extension Turn {
    /// Does what the operator's command line has left in the store.
    func takeOperatorRequests() throws(StoreError) {
        for (id, request) in try transaction.operatorRequests() {
            let outcome: Reply.Outcome
            do throws(Refused) {
                outcome = .result(try execute(operatorRequest: request))
            } catch {
                switch error {
                case .store(let failure): throw failure
                case .problem(let problem): outcome = .problem(problem)
                }
            }
            let payload = Reply(id: nil, outcome).payload
            try transaction.answerOperator(id, String(decoding: payload, as: UTF8.self))
        }
    }

    private func execute(operatorRequest json: String) throws(Refused) -> [UInt8] {
        let command: OperatorCommand
        do { command = try OperatorCommand(json: json) } catch { throw .problem(error) }
        switch command {
        case .addUser(let name, let displayName, let email, let isSOS):
            return try addUser(name, displayName, email, publishIsSOS: isSOS)
        case .removeUser(let name):
            return try removeUser(try person(name))
        case .setToken(let user, let device, let hash, let speaksOwnTracks):
            return try setToken(try person(user), device, hash, speaksOwnTracks)
        case .createGroup(let name, let user):
            return try createGroup(name, by: try person(user))
        case .addMember(let key, let user):
            let group = try group(key)
            try add(try person(user), to: group, by: nil)
            return group.message.payload
        case .removeMember(let key, let user):
            let (group, member) = (try group(key), try person(user))
            guard member.membership(in: group.id) != nil else {
                throw .problem(Problem(.notAMember, "That user is not a member of the group."))
            }
            try remove(member, from: group, by: nil)
            return Array("{}".utf8)
        }
    }

    private func person(_ name: Name) throws(Refused) -> Person {
        guard let person = memory.person(name) else {
            throw .problem(Problem(.unknownUser, "There is no user of that name."))
        }
        return person
    }

    private func group(_ key: GroupKey) throws(Refused) -> Group {
        guard let group = memory.group(key) else {
            throw .problem(Problem(.unknownGroup, "There is no group with that id."))
        }
        return group
    }

    private func addUser(
        _ name: Name, _ displayName: String, _ email: String?, publishIsSOS: Bool
    ) throws(Refused) -> [UInt8] {
        var errors: [Problem.FieldError] = []
        if memory.person(name) != nil { errors.append(.init(field: "user", reason: "is taken")) }
        if let email, memory.person(email: email) != nil {
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
                    ownTracksPublishIsSOS: publishIsSOS, createdAt: now)))
        return JSONWriter.object { json in
            json.key("user")
            json.string(name.text)
        }
    }

    /// With everything that is the user's, in the store and on the broker.
    private func removeUser(_ person: Person) throws(Refused) -> [UInt8] {
        for group in person.memberships.map(\.group) {
            try remove(person, from: group, by: person)
        }
        let fixes = try stored { transaction throws(StoreError) in
            try transaction.eraseUser(person.id, devices: person.devices.map(\.log))
        }
        retain(.userGroups(person.name), [])
        for device in person.devices {
            retain(.status(person.name, device: device.name), [])
            retain(.ownTracks(person.name, device: device.name, suffix: ""), [])
        }
        // While it is known who they are.
        showViews()
        memory.remove(person)
        forget(person)
        return JSONWriter.object { json in
            json.key("deleted")
            json.object { json in
                json.key("fixes")
                json.number(fixes)
            }
        }
    }

    private func setToken(
        _ person: Person, _ name: Name, _ hash: String, _ speaksOwnTracks: Bool
    ) throws(Refused) -> [UInt8] {
        do throws(StoreError) {
            var device = person.device(named: name)
            if device == nil {
                device = try addDevice(
                    name, to: person, speaks: speaksOwnTracks ? .ownTracks : .kith)
            }
            if let device { try transaction.setTokenHash(Array(hash.utf8), of: device.id) }
        } catch {
            throw .store(error)
        }
        return Array("{}".utf8)
    }
}
