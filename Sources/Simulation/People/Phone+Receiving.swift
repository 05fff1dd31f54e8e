import Contract
import MQTT

extension Phone {
    /// Takes in what the broker has delivered, as the app would.
    func take(_ message: Message) {
        switch world.topics.parse(message.topic) {
        case .stored:
            if let n = Row.json(message.payload)["seq"]?.integer { takeReceipt(n) }
        case .rejected:
            let told = Row.json(message.payload)
            let again = Set((told["again"]?.elements ?? []).compactMap(\.integer))
            for number in told["seq"]?.elements ?? []
            where !again.contains(number.integer ?? -1) {
                kept.removeAll { $0.sequence == number.integer && $0.isDoubtful }
            }
        case .replies: takeReply(Row.json(message.payload))
        case .chat(let group): takeMessage(Row.json(message.payload), in: group)
        case .userGroups: takeGroups(message.payload)
        case .notices:
            let notice = Row.json(message.payload)
            guard notice["kind"]?.text == "location-shared",
                let friend = notice["user"]?.text.flatMap({ Name($0) })
            else { return }
            friends.insert(friend)
            look(at: friend)
        case .member:
            let version = Row.json(message.payload)["version"]?.integer ?? -1
            if message.payload.isEmpty {
                // The version is kept: an older message may still come from a queue.
                states[message.topic]?.payload = []
            } else if version >= states[message.topic]?.version ?? 0 {
                states[message.topic] = (version, message.payload)
            }
        case .alerts:
            guard let id = Row.json(message.payload)["id"]?.text else { return }
            alerts.insert(id)
            lastAlert = id
        default: break
        }
    }

    private func takeReply(_ reply: JSONValue) {
        guard let id = reply["id"]?.integer else { return }
        unanswered[Int(id)] = nil
        if let result = reply["result"] {
            world.oracles.chat.answered(result, request: Int(id), to: self)
        }
    }

    private func takeMessage(_ message: JSONValue, in group: GroupKey) {
        guard let id = message["id"]?.text, chat.insert(id).inserted,
            let start = subscribedSince[group]
        else { return }
        world.oracles.chat.shown(id, to: self, since: start, after: lastMessage[group])
        lastMessage[group] = id
    }

    private func takeGroups(_ payload: [UInt8]) {
        groups = Row.json(payload).elements.compactMap {
            $0["group"]?.text.flatMap { GroupKey($0) }
        }
        for group in groups where subscribedSince[group] == nil { subscribe(to: group) }
        // Some apps do not unsubscribe from groups that they have left.
        for group in subscribedSince.keys.sorted() where !groups.contains(group) {
            subscribedSince[group] = nil
            guard world.chance.happens(50), let wire else { continue }
            world.broker.unsubscribe("\(world.topics.string(.group(group)))/#", wire)
        }
    }
}
