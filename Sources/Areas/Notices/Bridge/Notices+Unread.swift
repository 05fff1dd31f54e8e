import Contract
import Store
import Tracking

/// The numbers of unseen notices, alerts and messages, shared by all devices. A user's read marks
/// in a group are stored with their membership.
extension Notices {
    /// Queues recounts; to be called when a group has a new alert or message.
    func noteUnread(in group: Group) {
        for member in look(through: group.members) { state.recounts.append(member.id, group.id) }
    }

    /// Queues a recount; to be called when a member has seen an alert or a message.
    func noteUnread(of person: Person, in group: Group) {
        state.recounts.append(person.id, group.id)
    }

    /// Marks an invitation's notice as seen; to be called when the user has answered it.
    func noteAnswered(_ invitation: UUIDv7, by person: Person) throws {
        try transaction.markInvitationSeen(invitation, by: person.id, at: now)
        state.uncounted.insert(person.id)
    }

    /// Counts for some of the members with something new in their group. A call for help is sent
    /// first.
    func recount() throws {
        guard !turn.hasCallForHelp, !turn.isSparing else { return }
        let members = turn.decisions.recounts({ state.recounts.take(at: now) }).filter {
            memory.people[$0.user]?.membership(in: $0.group) != nil
        }
        try transaction.countUnread(of: members.map { ($0.user, $0.group) })
        try countUnread(of: members.map(\.user))
    }

    /// Queues a recount, since deleted alerts and messages are no longer unread.
    func recountDeleted() throws {
        guard now >= state.nextRecount else { return }
        state.nextRecount = now + Notices.recountInterval
        for member in try transaction.unreadMemberships() {
            state.recounts.append(member.user, member.group)
        }
    }

    private static let recountInterval = Duration.seconds(86_400)

    func markSeen(
        _ thing: NoticeCommand.Thing, of key: GroupKey, through id: UUIDv7, by person: Person
    ) throws -> [UInt8] {
        let group = try group(key, of: person)
        try transaction.setSeen(thing, through: id, of: person.id, in: group.id)
        try transaction.countUnread(of: [(person.id, group.id)])
        return NoticeResult.seenInGroup.bytes(of: try countUnread(of: person))
    }

    func unread(of person: Person) throws -> [UInt8] {
        let (marks, unread) = (
            try transaction.readMarks(of: person.id), try countUnread(of: person)
        )
        let groups: [NoticeResult.Group] = marks.compactMap { mark in
            memory.groups[mark.group].map {
                ($0.key, mark.alerts, mark.chat, mark.alertsThrough, mark.chatThrough)
            }
        }
        return NoticeResult.unread.bytes(of: (unread, groups))
    }

    /// Counts what people have not seen, and publishes the numbers that have changed. For groups,
    /// the last counts are used.
    func countUnread(of users: [UserID]) throws {
        let counts = try transaction.unread(of: users)
        for person in users.compactMap({ memory.people[$0] }) {
            let unread = counts[person.id] ?? UnreadMessage()
            let isStale = state.stale.remove(person.id) != nil
            guard isStale || unread != state.unread[person.id] ?? UnreadMessage() else { continue }
            state.unread[person.id] = unread.isEmpty ? nil : unread
            if person.kind != .service { retain(.unread(person.name), unread.payload) }
        }
    }

    /// Does the same for one person.
    func countUnread(of person: Person) throws -> UnreadMessage {
        try countUnread(of: [person.id])
        return state.unread[person.id] ?? UnreadMessage()
    }
}

extension Engine {
    /// Whether the topic is one of a user's unread numbers that are still to be counted and published.
    package func isUncounted(_ topic: String) -> Bool {
        guard case .listed(.unread, let names)? = settings.topics.parse(topic),
            let person = names.user.flatMap({ memory.account($0) })
        else { return false }
        return memory.state(NoticeState.self).uncounted.contains(person.id)
    }
}
