import Contract
import Store
import Tracking

extension Turn {
    // MARK: Requests

    func sendChat(_ text: ChatText, to key: GroupKey, by person: Person)
        throws(Refused) -> [UInt8]
    {
        let group = try group(key, of: person)
        try checkChatRate(of: person)
        let message = try post(
            chatRow(nextChatMessage(), .message, of: person, text.text, in: group), in: group)
        noteUsage(.messages, bytes: text.text.utf8.count, of: person)
        return JSONWriter.object { json in
            json.key("message")
            json.raw(message.payload)
        }
    }

    /// A page, the newest first, of what the person may see: from when they joined last on.
    func chatHistory(of key: GroupKey, before: UUIDv7?, limit: Int, by person: Person)
        throws(Refused) -> [UInt8]
    {
        let group = try group(key, of: person)
        // One more, to know whether there is more.
        let rows = try stored { transaction throws(StoreError) in
            try transaction.chat(
                of: group.id, seenBy: person.id, before: before, limit: limit + 1)
        }
        var (payloads, size) = ([[UInt8]](), 0)
        for row in rows.prefix(limit) where size < Turn.chatPage {
            guard let payload = message(row)?.payload else { continue }
            payloads.append(payload)
            size += payload.count
        }
        let last = payloads.count < rows.count ? rows[..<payloads.count].last : nil
        return JSONWriter.object { json in
            json.key("messages")
            json.array(payloads) { $0.raw($1) }
            json.key("next")
            if let last { json.string(last.id.description) } else { json.null() }
        }
    }

    /// Bytes after which a page of a history ends. A message has at most 25,000 (of newlines,
    /// which take six each in JSON); a reply stays below 61 KiB.
    private static let chatPage = 36_000

    /// What was written before is counted in the store: that costs nobody anything who writes
    /// nothing, and what failed or is forgotten at a restart does not matter. What the service
    /// says of somebody does not count; requests that make it say something have a quota.
    private func checkChatRate(of person: Person) throws(Refused) {
        let limit = BridgeSettings.maximumChatRate
        let earlier = try stored { transaction throws(StoreError) in
            try transaction.chatTime(of: person.id, skipping: limit - 1)
        }
        guard let earlier, earlier <= now, now < earlier + .seconds(1) else { return }
        throw .problem(
            Problem(.tooMany, "A user may write at most \(limit) messages in a second."))
    }

    // MARK: What the service says

    /// Who joined, left, or gave the group a new name.
    ///
    /// - Parameters:
    ///   - person: nil: one who is erased.
    ///   - id: where it was needed before.
    func post(
        _ kind: ChatMessage.Kind, of person: Person?, _ words: String? = nil,
        as id: UUIDv7? = nil, in group: Group
    ) throws(Refused) {
        let row = chatRow(id ?? nextChatMessage(), kind, of: person, words, in: group)
        try post(row, in: group)
    }

    /// Tells all groups of one who came online or has gone. Of each member the history keeps the
    /// last of it alone.
    func tellPresence(of person: Person, _ kind: ChatMessage.Kind) throws(StoreError) {
        for group in person.memberships.map(\.group) {
            let row = chatRow(nextChatMessage(), kind, of: person, in: group)
            try transaction.replacePresence(row, of: person.id)
            try tell(row, in: group)
        }
    }

    // MARK: Parts

    /// Greater than all before it, in whatever chat.
    func nextChatMessage() -> UUIDv7 {
        let id = UUIDv7(
            after: memory.lastChatMessage, at: now, random: (random.next(), random.next()))
        memory.lastChatMessage = id
        return id
    }

    /// Where messages are deleted: no later one gets the id of one that somebody has seen.
    func keepChatOrder() throws(StoreError) {
        if let last = memory.lastChatMessage { try transaction.keepChatOrder(from: last) }
    }

    /// What the row says to others; nil where its group is gone.
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
    private func post(_ row: ChatRow, in group: Group) throws(Refused) -> ChatMessage {
        do throws(StoreError) {
            try transaction.insert(row)
            return try tell(row, in: group)
        } catch {
            throw .store(error)
        }
    }

    @discardableResult
    private func tell(_ row: ChatRow, in group: Group) throws(StoreError) -> ChatMessage {
        guard let message = message(row) else { preconditionFailure("the group is there") }
        count("chat-\(row.kind.rawValue)")
        try send(topics.string(.chat(group.key)), message.payload)
        return message
    }
}
