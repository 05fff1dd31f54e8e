import Contract
import Store
import Tracking

/// Groups and their members, and which groups see a member's position.
final class Groups: AreaHandler {
    typealias State = GroupsState

    unowned let turn: Turn
    /// Members whose state is to be published.
    var membersChanged: [(person: Person, group: GroupID)] = []
    /// People who have lost a fellow member by another's action.
    private var separated: [(person: Person, by: Person?)] = []

    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: GroupCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        if case .createObserver(let group, let name) = command {
            try createObserver(of: group, name, by: person, asker)
            return nil
        }
        let result: [UInt8]? =
            switch command {
            case .createObserver: nil
            case .endObserver(let key, let observer):
                try endObserver(observer, of: try group(key, of: person), by: person)
            case .create(let name): try createGroup(name, by: person)
            case .rename(let group, let name): try renameGroup(group, to: name, by: person)
            case .removeMember(let group, let user): try removeMember(user, from: group, by: person)
            case .leave(let group): try leaveGroup(group, person)
            case .list: listGroups(of: person)
            case .startSharing(let groups, let until):
                try startSharing(groups, until: until, person)
            case .stopSharing(let groups): try stopSharing(groups, person)
            case .pauseSharing(let until): try pauseSharing(until: until, person)
            case .resumeSharing: try resumeSharing(person)
            case .setPrecision(let group, let precision):
                try setPrecision(precision, for: group, person)
            case .members(let group, let name, let withReach):
                try getMembers(of: group, after: name, withReach: withReach, by: person)
            }
        switch command {
        case .create, .rename, .removeMember, .leave, .endObserver:
            noteUsage(.changes, of: person)
        case .createObserver, .list, .startSharing, .stopSharing, .pauseSharing, .resumeSharing,
            .setPrecision,
            .members:
            break
        }
        return result
    }

    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        switch effect {
        case .memberChanged(let group, let urgent):
            noteChange(of: person, in: group, isUrgent: urgent)
        case .sharingEnded(let id):
            guard let group = memory.groups[id] else { return }
            try areas.notices.add(.sharingEnded(group.key, name: group.name), for: person)
        default: break
        }
    }

    func release(_ person: Person) {
        for membership in person.memberships where membership.isHeldBack {
            noteChange(of: person, in: membership.group.id, isUrgent: false)
        }
    }

    func finish(_ people: [Person]) throws {
        for (person, remover) in separated
        where person !== remover && memory.people[person.id] === person {
            try tellWhoIsLeft(person, by: remover)
        }
        try showStates()
        try showLists()
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(GroupsState.self).lists.isEmpty ? nil : Timestamp(milliseconds: 0)
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        counts.memberships = person.memberships.count
        let groups = person.memberships.map(\.group)
        let callers = groups.filter { person.isInSOS(in: $0) }
        for group in groups { try leave(person, group, isErased: true) }
        try areas.emergencies.tellOfErasure(in: callers)
    }
}

extension Groups {
    static let counters = ["observers-made", "observers-ended"]

    // MARK: Requests

    func createGroup(_ name: DisplayName, by person: Person) throws -> [UInt8] {
        try checkRoom(for: person)
        return groupResult(try createGroup(GroupKey(using: &random), name, by: person))
    }

    func createGroup(_ key: GroupKey, _ name: DisplayName, by person: Person) throws -> Group {
        let id = try transaction.insertGroup(key, name: name.text, at: now)
        let group = Group(GroupRow(id: id, key: key, name: name.text))
        memory.add(group)
        try join(person, group, by: person)
        return group
    }

    func renameGroup(_ key: GroupKey, to name: DisplayName, by person: Person) throws -> [UInt8] {
        let group = try group(key, of: person)
        try transaction.renameGroup(group.id, to: name.text)
        let isNew = group.name != name.text
        group.name = name.text
        publishGroup(group)
        if isNew { noteNewName(of: group, by: person) }
        if isNew { try areas.chat.post(.renamed, of: person, name.text, in: group) }
        return groupResult(group)
    }

    func removeMember(_ user: Name, from key: GroupKey, by person: Person) throws -> [UInt8] {
        let group = try group(key, of: person)
        let member = try turn.member(user, of: group)
        if member !== person { try areas.emergencies.checkEmergencies(in: group, but: person) }
        try remove(member, from: group, by: person)
        return groupResult(group)
    }

    func leaveGroup(_ key: GroupKey, _ person: Person) throws -> [UInt8] {
        let group = try group(key, of: person)
        try remove(person, from: group, by: person)
        return Array("{}".utf8)
    }

    func listGroups(of person: Person) -> [UInt8] {
        GroupResult.list.bytes(of: person.groupsMessage)
    }

    // MARK: Membership changes, also by the operator

    /// Adds a person who has not been asked, and notifies both.
    ///
    /// - Parameter person: the adder; nil for the operator.
    func add(_ added: Person, to group: Group, by person: Person?) throws {
        try checkRoom(in: group, for: added)
        try join(added, group, by: person)
        for receiver in [added, person].compactMap({ $0 }) {
            try tell(receiver, of: added, in: group, by: person)
        }
    }

    /// Admits a person who has accepted an invitation, and notifies the inviter.
    func admit(_ person: Person, to group: Group, invitedBy inviter: Person) throws {
        try checkRoom(in: group, for: person)
        try join(person, group, by: person)
        try tell(inviter, of: person, in: group, by: person)
    }

    private func tell(_ receiver: Person, of added: Person, in group: Group, by person: Person?)
        throws
    {
        try areas.notices.add(
            .addedToGroup(group.key, name: group.name), for: receiver, about: added, by: person)
    }

    /// Checks that the group has room for another member.
    func checkRoom(in group: Group) throws {
        guard group.members.count < BridgeSettings.maximumMembers else {
            let limit = BridgeSettings.maximumMembers
            throw Problem(.tooMany, "A group may have at most \(limit) members.")
        }
    }

    private func checkRoom(in group: Group, for person: Person) throws {
        guard person.membership(in: group.id) == nil else {
            throw Problem(.alreadyAMember, "That user is already a member of the group.")
        }
        try checkRoom(in: group)
        guard group.hasRoom(for: person) else {
            throw Problem(.tooMany, "The names of all members would no longer fit into a message.")
        }
        try checkRoom(for: person)
    }

    func remove(_ member: Person, from group: Group, by person: Person?) throws {
        try areas.emergencies.checkEmergency(of: member, leaving: group)
        let wasOnJourney = member.tracker.plannedJourney != nil
        try leave(member, group, by: person, isRemoval: member !== person)
        guard member !== person else { return }
        for area in areas.all { try area.removed(member, from: group) }
        let endsJourney = wasOnJourney && member.tracker.plannedJourney == nil
        try areas.notices.add(
            .removedFromGroup(group.key, name: group.name, endsJourney: endsJourney), for: member,
            by: person)
    }

    /// - Parameter adder: nil for the operator.
    private func join(_ person: Person, _ group: Group, by adder: Person?) throws {
        let message = areas.chat.nextChatMessage()
        try transaction.insertMembership(group.id, person.id, at: now, chatFrom: message)
        memory.connect(person, group)
        try turn.apply(person.tracker.join(group.id, at: now), to: person)
        publishGroup(group)
        publishGroups(of: person)
        try tellOfObservers(person, in: group)
        for area in areas.all { try area.joined(person, group, by: adder) }
        try areas.chat.post(.joined, of: person, as: message, in: group)
        try areas.emergencies.alertNewGroup(group, for: person, addedBy: adder) {
            areas.monitoring.alertedGroups(of: person)
        }
    }

    /// Clears everything that the group sees of the member from the broker; the group is closed
    /// when its last member leaves.
    ///
    /// - Parameters:
    ///   - isErased: whether the member is being erased, so that the chat cannot name them.
    ///   - remover: the person by whose action the member leaves.
    ///   - isRemoval: whether the member is removed by another member or the operator.
    func leave(
        _ member: Person, _ group: Group, by remover: Person? = nil, isRemoval: Bool = false,
        isErased: Bool = false
    ) throws {
        let isTold = !isErased && group.members.count > 1
        areas.ownTracks.noteLeaving(member, group, by: remover)
        try turn.apply(member.tracker.leave(group.id, at: now, isTold: isTold), to: member)
        try transaction.deleteMembership(group.id, member.id)
        try endObservers(of: member, in: group)
        try areas.chat.keepChatOrder()
        retain(.member(group.key, member.name), [])
        for area in areas.all { try area.left(member, group, by: remover) }
        memory.disconnect(member, group)
        if let remover, remover !== member {
            try noteRemoval(of: member, from: group, by: remover)
        }
        if !group.members.isEmpty {
            if !isErased { separated.append((member, by: remover)) }
            separated += group.members.map { ($0, by: remover) }
        }
        publishGroups(of: member)
        guard group.members.isEmpty else {
            publishGroup(group)
            guard !isErased else { return try areas.chat.post(.left, of: nil, in: group) }
            let leaving = isRemoval ? ChatMessage.Leaving.removed : .left
            return try areas.chat.post(.left, of: member, leaving.rawValue, in: group)
        }
        memory.remove(group)
        retain(.group(group.key), [])
        try transaction.closeGroup(group.id)
        memory.nextErasure = now
    }

    private func checkRoom(for person: Person) throws {
        guard person.memberships.count < BridgeSettings.maximumGroups else {
            let limit = BridgeSettings.maximumGroups
            throw Problem(.tooMany, "A user may be in at most \(limit) groups.")
        }
    }

    // MARK: Publishing

    func publishGroup(_ group: Group) {
        look(at: group.members.count)
        retain(.group(group.key), group.message.payload)
    }

    func publishGroups(of person: Person) {
        retain(.userGroups(person.name), person.groupsMessage.payload)
    }

    /// Returns the group, without `members` and `observers` if they do not fit into a reply: the
    /// request has been executed.
    private func groupResult(_ group: Group) -> [UInt8] {
        let message = group.message
        guard !Group.hasRoom(for: message) else { return message.payload }
        return GroupResult.named.bytes(of: (group.key, group.name))
    }
}

extension Group {
    var message: GroupMessage {
        GroupMessage(
            group: key, name: name, members: members.map { ($0.name, $0.displayName) },
            observers: shownObservers)
    }

    /// Returns whether the group's message would still fit into a payload with one more member and
    /// the longest name.
    fileprivate func hasRoom(for person: Person) -> Bool {
        var message = message
        message.members.append((person.name, person.displayName))
        return Group.hasRoom(for: message)
    }

    /// Returns whether a group's message fits into a payload with the longest name.
    static func hasRoom(for message: GroupMessage) -> Bool {
        message.payload.count + 1024 <= PayloadLimits.maximum
    }
}

extension Person {
    var groupsMessage: UserGroupsMessage {
        UserGroupsMessage(groups: memberships.map { ($0.group.key, $0.group.name) })
    }
}
