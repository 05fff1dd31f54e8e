import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who share links, and people who open them.
///
/// A holder receives nothing once the link has ended on disk, a link that was sent to its owner
/// works until then, and in the end no topic shows anything without a link.
final class SimulatedShareLinks: SimulatedArea {
    unowned let world: World
    /// The tokens, in the order of receipt.
    private var tokens: [String] = []
    private var viewers: [LinkViewer] = []

    init(_ world: World) { self.world = world }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(4, "share.create") { phone in
                let chance = phone.world.chance
                if chance.happens(40) { return #""what":"journey""# }
                let until = phone.world.wall + .seconds(Int64(chance.number(61...400)))
                return #""what":"position","until":\#(until.milliseconds)"#
            },
            Ask(2, "share.list"),
            Ask(5, "share.end") { $0.shareLinks.last.map { #""share":"\#($0)""# } },
        ]
    }

    var events: [(weight: Int, choice: () throws -> Void)] {
        [
            (tokens.isEmpty || viewers.count > 3 ? 0 : 2, { self.addViewer() }),
            (viewers.isEmpty ? 0 : 6, { self.world.chance.pick(self.viewers)?.act() }),
        ]
    }

    private func addViewer() {
        guard let token = world.chance.pick(Array(tokens.suffix(4))) else { return }
        viewers.append(LinkViewer(world, number: viewers.count + 1, token))
    }

    func pump(all: Bool) {
        for viewer in viewers { viewer.pump(all ? 100 : world.chance.number(0...3)) }
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets { Targets(filters: ["kith/shares/#"]) }

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "share.list"),
            Ask(1, "share.end") { _ in #""share":"01890000-0000-7000-8000-000000000000""# },
        ]
    }

    static var adversaryGuestAsks: [Ask<Adversary>] {
        let nobodys = String(repeating: "A", count: 43)
        return [Ask(1, "share.open") { _ in #""token":"\#(nobodys)""# }]
    }

    // MARK: On a phone

    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        guard request.method == "share.create", let id = answer["result"]?["share"]?.text else {
            return
        }
        phone.shareLinks.last = id
        if let token = answer["result"]?["token"]?.text { tokens.append(token) }
    }

    // MARK: At rest

    func checkRest() throws {
        let open = world.oracles.read { Set(try $0.openShareLinks().map(\.id)) }
        for (topic, message) in world.broker.state.retained where !message.payload.isEmpty {
            guard case .listed(.share, let names)? = world.topics.parse(topic),
                let share = names.share, open?.contains(share) != true
            else { continue }
            world.oracles.fail("share links", "\(topic) is retained without a link")
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        try transaction.openShareLinks().map { "share \($0)" }
    }

    static var canaries: [Canary] { [forgetViewers, forgetLink] }

    /// Bug: the gate does not learn that a link has ended.
    private static var forgetViewers: Canary {
        Canary("forgetViewers", foundBy: "access") { attempted in
            guard attempted.sql.hasPrefix("INSERT INTO access_changes"),
                case .text(let principal)? = attempted.values.first,
                principal.hasPrefix(Grant.Kind.share.row.prefix)
            else { return nil }
            return .skipped
        }
    }

    /// Bug: a link is sent but not stored.
    private static var forgetLink: Canary {
        Canary("forgetShareLink", foundBy: "share links", "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO share_links") ? .skipped : nil
        }
    }
}

/// The last link that a phone received.
final class ShareLinkMemory: PhoneMemory {
    var last: String?

    init() {}
}

extension Phone {
    var shareLinks: ShareLinkMemory { memory() }
}
