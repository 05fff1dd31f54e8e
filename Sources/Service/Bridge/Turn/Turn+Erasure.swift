import Contract
import JSON
import MQTT
import Store
import Tracking

extension Turn {
    /// Removes the person: in this turn, all identifying and visible data, in the store and on the
    /// broker; and step by step everything else, which is no longer shown to anyone.
    ///
    /// - Returns: `{deleted}`, the receipt. Nothing may be stored for the person afterwards.
    func eraseAccount(_ person: Person) throws -> [UInt8] {
        var counts = ErasureCounts()
        try transaction.countInGroups(of: person.id, &counts)
        for area in areas.all { try area.erase(person, &counts) }
        try forgetMentions(of: person)
        counts = try transaction.eraseUser(person.id, devices: person.devices.map(\.log), counts)
        clearTopics(of: person)
        memory.remove(person)
        forget(person)
        memory.mentions.append(Mention(person.name, person.displayName))
        memory.nextErasure = now
        noteDeletion()
        return JSONWriter.object { json in
            json.key("deleted")
            json.receipt(counts)
        }
    }

    // MARK: Step by step

    /// Deletes a bounded part of the remains of erased users and closed groups; the next part is
    /// due shortly afterwards, so that others' messages are handled in between. A call for help of
    /// this turn is sent first.
    func continueErasures() throws {
        guard let next = memory.nextErasure, next <= now, !hasCallForHelp else { return }
        guard begins(.erasing) else { return memory.nextErasure = nil }
        let touched = try transaction.continueErasures(
            atMost: Turn.maximumErasure, isMention: Turn.isMention(of:_:))
        if touched < Turn.maximumErasure {
            (memory.nextErasure, memory.mentions) = (nil, [])
            noteDeletion()
        } else {
            memory.nextErasure = now + Turn.erasurePause
        }
        endWork()
    }

    static func isMention(of name: Name, _ displayName: String) -> ([UInt8]) -> Bool {
        let mention = Mention(name, displayName)
        return { mention.isIn($0) }
    }

    /// In rows, each of which may be on a different database page.
    static let maximumErasure = 1000
    private static let erasurePause = Duration.milliseconds(50)

    // MARK: On the broker

    private func clearTopics(of person: Person) {
        let devices = person.devices.map(\.name)
        for topic in topics.retained(of: person.name, devices: devices) {
            publish(Publication(topic: topic, payload: [], qos: .atLeastOnce, retain: true))
        }
    }

    /// Clears messages that the broker may retain for a user who does not exist: a last will
    /// published after the erasure, or messages that a crash kept the bridge from clearing.
    func clearRetained(_ message: Message) {
        guard !message.payload.isEmpty else { return }
        guard case .status = topics.parse(message.topic) else { return }
        publish(
            Publication(topic: message.topic, payload: [], qos: .atLeastOnce, retain: true))
    }

    // MARK: Mentions of the person elsewhere

    /// Removes the person from messages that have not reached the broker.
    private func forgetMentions(of person: Person) throws {
        let mention = Mention(person.name, person.displayName)
        for row in try transaction.unconfirmed() {
            if isAddressed(row.topic, to: person.name) {
                try transaction.emptyOutgoing(row.id)
            } else if case .listed(.chat, _) = topics.parse(row.topic) {
                // Others' own texts may mention the name.
                if let rest = ChatMessage.withoutAuthor(row.payload, if: person.name) {
                    try transaction.replaceOutgoing(row.id, payload: rest)
                }
            } else if mention.isIn(row.payload) {
                let rest = mention.removed(from: row.payload)
                if let rest {
                    try transaction.replaceOutgoing(row.id, payload: rest)
                } else {
                    try transaction.emptyOutgoing(row.id)
                }
            }
        }
    }

    private func isAddressed(_ topic: String, to name: Name) -> Bool {
        switch topics.parse(topic) {
        case .replies(name, _, _), .rejected(name, _), .stored(name, _), .notices(name),
            .userGroups(name), .location(name), .ownTracksMember(name, _, _),
            .ownTracksMember(_, name, _), .serviceReplies(name, _):
            true
        case .listed(.serviceNotices, let names): names.service == name
        default: false
        }
    }
}

extension JSONWriter {
    fileprivate mutating func receipt(_ counts: ErasureCounts) {
        object { json in
            func number(_ key: StaticString, _ count: Int) {
                json.key(key)
                json.number(count)
            }
            number("account", 1)
            number("devices", counts.devices)
            number("memberships", counts.memberships)
            number("fixes", counts.fixes)
            number("paths", counts.paths)
            number("pathPoints", counts.pathPoints)
            number("alerts", counts.alerts)
            number("acknowledgements", counts.acknowledgements)
            number("messages", counts.messages)
            number("replies", counts.replies)
            number("notices", counts.notices)
            number("friends", counts.friends)
            number("channels", counts.channels)
            number("links", counts.links)
            number("invitations", counts.invitations)
            number("vitals", counts.vitals)
            number("imported", counts.imported)
        }
    }
}
