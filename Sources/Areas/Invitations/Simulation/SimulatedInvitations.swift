import Bridge
import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who invite each other, accept, decline, revoke and guess.
///
/// A link that was sent to its creator works until something ends it, and the delivery of every
/// invitation is decided.
final class SimulatedInvitations: SimulatedArea {
    unowned let world: World
    private var links: [String: Link] = [:]
    /// The tokens, in the order of receipt.
    private var tokens: [String] = []
    /// Users who have ever blocked anyone, by number.
    private var blockers: Set<Int64> = []

    private struct Link {
        let group: GroupKey
        let by: Name
    }

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("invitations", description) }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(4, "group.invite") { phone in
                let chance = phone.world.chance
                let name = chance.happens(80) ? phone.somebody.text : "nobody"
                let whom = chance.happens(50) ? "" : #","user":"\#(name)""#
                return #""group":"\#(phone.anyGroup)"\#(whom)"#
            },
            Ask(8, "invitation.accept") { $0.anyInvitation },
            Ask(4, "invitation.decline") { phone in
                phone.invitations.last.map { #""invitation":"\#($0)""# }
            },
            Ask(2, "invitation.get") {
                #""token":"\#($0.world.area(SimulatedInvitations.self).anyToken)""#
            },
            Ask(1, "invitation.list"),
            Ask(1, "invitation.list") { #""group":"\#($0.anyGroup)""# },
            Ask(2, "invitation.revoke") { phone in
                let id = phone.invitations.made ?? phone.invitations.last ?? nobodys
                return #""group":"\#(phone.anyGroup)","invitation":"\#(id)""#
            },
            Ask(1, "account.update") { phone in
                let setting = phone.world.chance.pick(Addability.allCases) ?? .usual
                return #""addableBy":"\#(setting.rawValue)""#
            },
        ]
    }

    private static let nobodys = "01890000-0000-7000-8000-000000000000"

    fileprivate var anyToken: String { world.chance.pick(Array(tokens.suffix(4))) ?? "x" }

    // MARK: Attempts

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "invitation.list"), Ask(1, "invitation.get") { _ in #""token":"x""# },
            Ask(1, "group.invite") { #""group":"\#($0.anyGroup)","user":"ann""# },
            Ask(1, "invitation.accept") { _ in #""token":"x""# },
        ]
    }

    static var adversaryGuestAsks: [Ask<Adversary>] {
        [Ask(1, "invitation.get") { _ in #""token":"x#""# }]
    }

    // MARK: On disk, and on a phone

    private static let block = "INSERT INTO blocks"

    static var statements: [String] { [block] }

    func committed(_ rows: [Written]) {
        for row in rows where row.begins(with: SimulatedInvitations.block) {
            if let user = row.integer(0) { blockers.insert(user) }
        }
    }

    func received(_ message: Message, on topic: Topic, by phone: Phone) {
        guard case .notices = topic,
            let id = JSONValue.of(message.payload)["invitation"]?.text
        else { return }
        phone.invitations.last = id
    }

    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        switch request.method {
        case "group.invite": take(answer, request, phone)
        case "invitation.get", "invitation.accept":
            guard let token = request.fields["token"]?.text, let link = links[token],
                answer["problem"]?["type"]?.text == "urn:kith:problem:unknown-invitation"
            else { return }
            if isThere(link) { fail("a link of \(link.by) to \(link.group) is not known") }
        default: break
        }
    }

    private func take(_ answer: JSONValue, _ request: AskedRequest, _ phone: Phone) {
        guard let id = answer["result"]?["invitation"]?.text else { return }
        phone.invitations.made = id
        guard let token = answer["result"]?["token"]?.text,
            let group = request.fields["group"]?.text.flatMap({ GroupKey($0) })
        else { return }
        links[token] = Link(group: group, by: phone.user)
        tokens.append(token)
    }

    /// Whether nothing has happened that makes an invitation unknown.
    private func isThere(_ link: Link) -> Bool {
        let isThere = world.oracles.read { transaction in
            guard let inviter = try transaction.user(link.by),
                !blockers.contains(inviter.id.rawValue)
            else { return false }
            return try transaction.groups().contains { $0.key == link.group }
        }
        return isThere ?? false
    }

    // MARK: At rest

    func checkRest() throws {
        let rest = world.oracles.read { try $0.undecidedInvitations() }
        for id in rest ?? [] { fail("nobody has decided whom \(id) reaches") }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for group in try transaction.groups() {
            let open = try transaction.openInvitations(
                to: group.id, at: Timestamp(milliseconds: 0), atMost: .max)
            rows += open.map { "invitation \($0)" }
        }
        return rows
    }

    static var canaries: [Canary] { [forgetInvitation] }

    /// Bug: a link is sent but not stored.
    private static var forgetInvitation: Canary {
        Canary("forgetInvitation", foundBy: "invitations", "shadow") { attempted in
            guard attempted.sql.hasPrefix("INSERT INTO invitations"),
                case .blob? = attempted.values.last
            else { return nil }
            return .skipped
        }
    }
}

/// The last invitations that a phone received and created.
final class InvitationMemory: PhoneMemory {
    var last: String?
    var made: String?

    init() {}
}

extension Phone {
    var invitations: InvitationMemory { memory() }

    /// The argument for accepting: an invitation of its owner's, or a link.
    fileprivate var anyInvitation: String {
        if let last = invitations.last, world.chance.happens(60) {
            return #""invitation":"\#(last)""#
        }
        return #""token":"\#(world.area(SimulatedInvitations.self).anyToken)""#
    }
}
