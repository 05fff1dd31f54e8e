import Contract
import DequeModule
import Store
import Tracking

/// Notices to a single user: sent immediately, and kept for a limited time.
final class Notices: AreaHandler {
    typealias State = NoticeState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    static let counters = ["notices-not-sent"]

    func perform(
        _ command: NoticeCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .list(let before, let limit): try list(of: person, before: before, limit: limit)
        case .seen(let through): try markSeen(through: through, by: person)
        case .seenInGroup(let thing, let group, let through):
            try markSeen(thing, of: group, through: through, by: person)
        case .unread: try unread(of: person)
        }
    }

    func finish(_ people: [Person]) throws {
        try tellMore()
        state.counted = Array(state.uncounted.sorted().prefix(Notices.counted))
        state.uncounted.subtract(state.counted)
        try countUnread(of: state.counted)
        try recount()
    }

    /// Counts alerts made while the clock was ahead: their numbers are later than the membership.
    func joined(_ member: Person, _ group: Group, by adder: Person?) {
        noteUnread(of: member, in: group)
    }

    /// Recounts the numbers without the group.
    func left(_ member: Person, _ group: Group, by remover: Person?) {
        state.uncounted.insert(member.id)
    }

    func rescheduleAll() {
        state.recounts.reschedule(at: now)
        state.nextRecount = min(state.nextRecount, now)
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let oldest = sweep.startedAt - settings.retention.notices
        let (count, users) = try transaction.deleteNotices(from: oldest, atMost: limit)
        state.uncounted.formUnion(users)
        try recountDeleted()
        return count >= limit
    }

    func erase(_ person: Person, _ counts: inout ErasureCounts) throws {
        let readers = try transaction.usersWithUnseenNotice(of: person.id)
        state.uncounted.formUnion(readers)
        state.unread[person.id] = nil
        state.stale.remove(person.id)
        for membership in person.memberships { noteUnread(in: membership.group) }
        state.tellings.removeAll { $0.about?.user == person.id }
        for place in state.tellings.indices { state.tellings[place].forget(person.id) }
    }

    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(NoticeState.self)
        return state.uncounted.isEmpty && state.tellings.isEmpty
            ? state.recounts.next : Timestamp(milliseconds: 0)
    }
}

extension Notices {
    /// Notifies the person, and stores the notice. An action of their own counts as seen, unless
    /// someone else may have used one of their devices. If one person repeats an action, the notice
    /// replaces unseen ones, and is no longer sent immediately.
    ///
    /// - Parameters:
    ///   - about: the person whom it is about, if not only the reader.
    ///   - by: the person who caused it; nil for the operator, or if no one did.
    ///   - name: the name by which the reader knows that person; nil for their display name.
    ///   - pace: nil for the default pace of the news.
    func add(
        _ news: Notice.News, for person: Person, about other: Person? = nil, by: Person? = nil,
        named name: String? = nil, pace: Notice.News.Pace? = nil
    ) throws {
        let id = UUIDv7(at: now, random: (random.next(), random.next()))
        let row = NoticeRow(
            id: id, user: person.id, news: news,
            about: other.map { .init(user: $0.id, name: name ?? $0.displayName) }, by: by?.id,
            at: now,
            isSeen: by === person && !news.kind.isToldToDoer)
        let source = [by, other].compactMap { $0 }.first { $0 !== person }
        // Pending deliveries are also replaced, without delaying them.
        var awaited: Timestamp?
        for earlier in try transaction.deleteUnseenNotices(
            of: person.id, like: news, by: (by ?? other)?.id)
        {
            let due = try areas.channels.withdraw(notice: earlier, of: person)
            awaited = [awaited, due].compactMap { $0 }.min()
        }
        try transaction.insert(row)
        let share = news.kind.share
        try transaction.keepNotices(
            of: person.id, share,
            atMost: share == .others
                ? BridgeSettings.maximumNotices : BridgeSettings.maximumNoticesOfAccount)
        state.uncounted.insert(person.id)
        guard let notice = notice(row) else { preconditionFailure("everybody is there") }
        let isSent = state.take(
            pace ?? news.pace,
            from: source.map { .person($0.id) } ?? news.thing.map { .thing($0) },
            to: person.id, at: now)
        let topic: Topic =
            person.kind == .service ? .serviceNotices(person.name) : .notices(person.name)
        if isSent.onTopic { try send(topics.string(topic), notice.payload) }
        guard !row.isSeen else { return }
        guard let due = [awaited, isSent.onChannels].compactMap({ $0 }).min() else {
            return count("notices-not-sent")
        }
        try areas.channels.tell(notice, to: person, about: other, due: due)
    }

    func notify(_ person: Person, of news: Notice.News) throws {
        try add(news, for: person)
    }

    /// Stops sending pending notices of the kind to the person.
    func withdraw(_ kind: NoticeKind, of person: Person) throws {
        try transaction.deleteDeliveries(ofKind: kind.name, to: person.id)
    }

    /// Returns a page of notices, the newest first.
    private func list(of person: Person, before: UUIDv7?, limit: Int) throws -> [UInt8] {
        // One more, to find out whether there is more.
        let rows = try transaction.notices(of: person.id, before: before, limit: limit + 1)
        var (payloads, size, last) = ([[UInt8]](), 0, UUIDv7?.none)
        for row in rows.prefix(limit) where size < Notices.page {
            last = row.id
            guard let notice = notice(row) else { continue }
            let payload = Notice.payload.bytes(of: (notice, row.isSeen))
            payloads.append(payload)
            size += payload.count
        }
        let unread = try countUnread(of: person).notices
        let next = last == rows.last?.id ? nil : last?.description
        return NoticeResult.list.bytes(of: ((payloads, next), unread))
    }

    /// The people whose notices are counted per turn.
    private static let counted = 100
    /// The bytes after which a page ends; a notice has at most 10,000 (a reminder of all groups).
    private static let page = 36_000

    private func markSeen(through id: UUIDv7, by person: Person) throws -> [UInt8] {
        try transaction.markNoticesSeen(of: person.id, through: id, at: now)
        let unread = try countUnread(of: person).notices
        return NoticeResult.seen.bytes(of: unread)
    }

    /// Nil if it is about a deleted account.
    private func notice(_ row: NoticeRow) -> Notice? {
        var about: Notice.Person?
        if let other = row.about {
            guard let person = memory.people[other.user] else { return nil }
            about = .init(user: person.name, name: other.name)
        }
        return Notice(
            id: row.id, row.news, about: about, by: row.by.flatMap { memory.people[$0]?.name })
    }

    // MARK: Retained

    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .listed(.unread, let names) = topic, let name = names.user else { return nil }
        return memory.account(name).map { !retained(for: $0, memory).isEmpty } ?? false
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        // Services ask for the number instead.
        guard person.kind != .service else { return [] }
        return memory.state(NoticeState.self).unread[person.id].map {
            [(.unread(person.name), $0.payload)]
        } ?? []
    }
}
