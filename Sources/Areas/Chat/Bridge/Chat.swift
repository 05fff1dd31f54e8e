import Contract
import Store
import Tracking

/// The chats of groups, with messages by members and by the service.
final class Chat: AreaHandler {
    typealias State = ChatState

    unowned let turn: Turn

    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: ChatCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .send(let group, let text): try sendChat(text, to: group, by: person)
        case .history(let group, let before, let limit):
            try chatHistory(of: group, before: before, limit: limit, by: person)
        }
    }

    func apply(_ effect: Effect, to person: Person, newFix: FixRow?) throws {
        guard case .presenceChanged(let isOnline) = effect else { return }
        try tellPresence(of: person, isOnline ? .online : .offline)
    }

    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let deleted = try transaction.deleteChat(
            writtenBefore: sweep.startedAt - settings.retention.chat, atMost: limit)
        if deleted > 0 { try keepChatOrder() }
        return deleted >= limit
    }

    var exported: [ExportSection] {
        [
            ExportSection("c") { [self] (page, person, last: UUIDv7?) in
                let rows = try transaction.chat(
                    writtenBy: person.id, before: last, limit: ExportSection.rows)
                for row in rows {
                    guard page.hasRoom else { return }
                    page.next = row.id
                    if let message = message(row) { page.add(.message(message)) }
                }
                if rows.count < ExportSection.rows { page.next = nil }
            }
        ]
    }
}

extension Chat {
    // MARK: Requests

    func sendChat(_ text: ChatText, to key: GroupKey, by person: Person) throws -> [UInt8] {
        let group = try group(key, of: person)
        try checkChatRate(of: person)
        let message = try post(
            chatRow(nextChatMessage(), .message, of: person, text.text, in: group), in: group)
        noteUsage(.messages, bytes: text.text.utf8.count, of: person)
        return ChatResult.sent.bytes(of: message)
    }

    /// Returns a page of the messages that the person may see, the newest first: those since they
    /// last joined.
    func chatHistory(of key: GroupKey, before: UUIDv7?, limit: Int, by person: Person)
        throws -> [UInt8]
    {
        let group = try group(key, of: person)
        // One more, to find out whether there is more.
        let rows = try transaction.chat(
            of: group.id, seenBy: person.id, before: before, limit: limit + 1)
        var (payloads, size) = ([[UInt8]](), 0)
        for row in rows.prefix(limit) where size < Chat.chatPage {
            guard let payload = message(row)?.payload else { continue }
            payloads.append(payload)
            size += payload.count
        }
        let last = payloads.count < rows.count ? rows[..<payloads.count].last : nil
        return ChatResult.history.bytes(of: (payloads, last?.id.description))
    }

    /// The bytes after which a history page ends. A message has at most 25,000 (if it consists of
    /// newlines, which take six each in JSON); a reply stays below 61 KiB.
    private static let chatPage = 36_000

    /// Checks the person's rate. Earlier messages are counted in the store: that costs nothing for
    /// people who write nothing, and failed turns and restarts make no difference. The service's
    /// messages about a person do not count; the requests that cause them have a quota.
    private func checkChatRate(of person: Person) throws {
        let limit = BridgeSettings.maximumChatRate
        let earlier = try transaction.chatTime(of: person.id, skipping: limit - 1)
        guard let earlier, earlier <= now, now < earlier + .seconds(1) else { return }
        throw Problem(.tooMany, "A user may write at most \(limit) messages per second.")
    }

    // MARK: Service messages

    /// Posts that a person joined or left, or renamed the group.
    ///
    /// - Parameters:
    ///   - person: nil if the person is being erased.
    ///   - id: the message's id, if it has already been assigned.
    func post(
        _ kind: ChatMessage.Kind, of person: Person?, _ words: String? = nil,
        as id: UUIDv7? = nil, in group: Group
    ) throws {
        let row = chatRow(id ?? nextChatMessage(), kind, of: person, words, in: group)
        try post(row, in: group)
    }

    /// Posts to all groups that the person came online or went offline. The history keeps only the
    /// latest of these messages per member.
    func tellPresence(of person: Person, _ kind: ChatMessage.Kind) throws {
        for group in person.memberships.map(\.group) {
            let row = chatRow(nextChatMessage(), kind, of: person, in: group)
            try turn.aside(.presence) {
                try transaction.replacePresence(row, of: person.id)
                try tell(row, in: group)
            }
        }
    }

    // MARK: Helpers

    /// Returns an id greater than all previous ones, in any chat.
    func nextChatMessage() -> UUIDv7 {
        let id = UUIDv7(
            after: state.last, at: now, random: (random.next(), random.next()))
        state.last = id
        return id
    }

    /// Preserves the order; to be called when messages are deleted, so that no later message gets
    /// the id of one that a user has seen.
    func keepChatOrder() throws {
        if let last = state.last { try transaction.keepChatOrder(from: last) }
    }

    /// Returns the row as the message that others see; nil if its group is gone.
    func message(_ row: ChatRow) -> ChatMessage? {
        guard let group = memory.groups[row.group] else { return nil }
        let from = row.user.flatMap { memory.people[$0] }
        return ChatMessage(
            id: row.id, group: group.key, kind: row.kind, at: row.at,
            from: from.map { .init(user: $0.name, name: $0.displayName) }, words: row.words)
    }

    private func chatRow(
        _ id: UUIDv7, _ kind: ChatMessage.Kind, of person: Person?, _ words: String? = nil,
        in group: Group
    ) -> ChatRow {
        ChatRow(id: id, group: group.id, user: person?.id, kind: kind, words: words, at: now)
    }

    @discardableResult
    private func post(_ row: ChatRow, in group: Group) throws -> ChatMessage {
        try transaction.insert(row)
        if row.kind == .message { areas.notices.noteUnread(in: group) }
        return try tell(row, in: group)
    }

    @discardableResult
    private func tell(_ row: ChatRow, in group: Group) throws -> ChatMessage {
        guard let message = message(row) else { preconditionFailure("the group is there") }
        count("chat-\(row.kind.rawValue)")
        try send(topics.string(.chat(group.key)), message.payload)
        return message
    }
}
