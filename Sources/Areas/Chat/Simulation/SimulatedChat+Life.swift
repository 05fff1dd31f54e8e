import Contract
import MQTT
import Store
import Tracking

extension SimulatedChat {
    static var asks: [Ask<Phone>] {
        [
            Ask(14, "chat.send") { #""group":"\#($0.anyGroup)","text":"C#""# },
            Ask(4, "chat.history") {
                #""group":"\#($0.anyGroup)","limit":\#($0.world.chance.number(1...60))"#
            },
        ]
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        let topic = "kith/groups/\(world.area(SimulatedGroups.self).anyKnown)/chat"
        return Targets(filters: [topic], topics: [topic])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [Ask(1, "chat.history") { #""group":"\#($0.anyGroup)","limit":100"# }]
    }

    func attacks(by adversary: Adversary) -> [(weight: Int, choice: () -> Void)] {
        [(6, { self.talk(adversary) })]
    }

    /// Sends messages of up to the maximum length.
    private func talk(_ adversary: Adversary) {
        guard let group = world.chance.pick(adversary.groups) else { return }
        let text = String(repeating: "m", count: world.chance.pick([1, 400, 4_000]) ?? 1)
        for _ in 0..<world.chance.number(1...12) {
            adversary.send(
                Message(
                    topic: adversary.own("requests/chat.send"),
                    payload: Array(#"{"group":"\#(group)","text":"\#(text)"}"#.utf8)))
        }
    }

    // MARK: Comparing

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for (group, user) in try transaction.memberships() {
            for row in try transaction.chat(of: group, seenBy: user, before: nil, limit: 100_000) {
                rows.append("said \(row)")
            }
        }
        return rows
    }

    static var canaries: [Canary] { [tellChatTwice, forgetChat, reverseChat] }

    /// Bug: a chat message is published twice, with two ids.
    private static var tellChatTwice: Canary {
        Canary("tellChatTwice", foundBy: "told what is stored") { attempted in
            attempted.isOutgoing(on: "/chat") ? attempted.outgoingTwin : nil
        }
    }

    /// Bug: chat messages are not put into the outbox.
    private static var forgetChat: Canary {
        Canary("forgetChat", foundBy: "chat") { attempted in
            attempted.isOutgoing(on: "/chat") ? attempted.forgottenOutgoing : nil
        }
    }

    /// Bug: the bridge publishes two chat messages in reverse order.
    private static var reverseChat: Canary {
        var canary = Canary("reverseChat", foundBy: "chat order")
        canary.sending = { messages in
            let places = messages.indices.filter { messages[$0].topic.hasSuffix("/chat") }
            guard let first = places.first, let last = places.last else { return }
            messages.swapAt(first, last)
        }
        return canary
    }
}

/// A chat message that was written to disk.
struct ChatLine {
    let id: String
    let group: Int64
    let user: Int64?
    let kind: String
    let text: String?

    static let statement = "INSERT INTO chat_messages"

    /// Nil for other statements.
    init?(_ row: Written) {
        guard row.begins(with: ChatLine.statement), let id = row.text(0),
            let group = row.integer(1), let kind = row.text(3)
        else { return nil }
        (self.id, self.group, self.kind) = (id, group, kind)
        (user, text) = (row.integer(2), row.text(4))
    }
}

/// The chat messages that a phone shows.
final class ChatMemory: PhoneMemory {
    var shown: Set<String> = []
    /// The last message received in each group, and the beginning of the subscription at that time.
    var last: [GroupKey: (id: String, since: Duration)] = [:]

    init() {}
}

extension Phone {
    var chat: ChatMemory { memory() }
}
