import Contract
import JSON
import MQTT
import Store
import Tracking

/// People's notices, and their lists of them.
///
/// Everything that is sent is stored, nothing that is stored is missing from the list, and no one
/// can pile up unseen notices of another user.
final class SimulatedNotices: SimulatedArea {
    unowned let world: World
    /// The owners of stored notices, by id.
    private var stored: [String: Int64] = [:]
    private var published: Set<String> = []

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("notices", description) }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(3, "notice.list") { #""limit":\#($0.world.chance.number(1...20))"# },
            Ask(3, "notice.seen") { phone in
                phone.notices.last.map { #""through":"\#($0)""# }
            },
            Ask(2, "unread.list"),
            Ask(2, "alert.seen") { #""group":"\#($0.anyGroup)","through":"\#(newestID)""# },
            Ask(2, "chat.seen") { #""group":"\#($0.anyGroup)","through":"\#(newestID)""# },
        ]
    }

    /// An id after all others.
    private static let newestID = "ffffffff-ffff-7fff-bfff-ffffffffffff"

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        Targets(
            filters: ["kith/users/\(victim)/unread", "kith/users/+/notices"],
            topics: ["kith/users/\(victim)/notices", "kith/users/\(victim)/unread"])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "notice.list"), Ask(1, "unread.list"),
            Ask(1, "chat.seen") { #""group":"\#($0.anyGroup)","through":"\#(newestID)""# },
            Ask(1, "notice.seen") { _ in #""through":"01890000-0000-7000-8000-000000000000""# },
        ]
    }

    // MARK: On disk, published, and on a phone

    private static let statement = "INSERT INTO notices"

    static var statements: [String] { [statement] }

    func committed(_ rows: [Written]) {
        for row in rows where row.begins(with: SimulatedNotices.statement) {
            if let id = row.text(0), let user = row.integer(1) { stored[id] = user }
        }
    }

    func published(_ publication: Message, on topic: Topic) {
        switch topic {
        case .notices, .listed(.serviceNotices, _): break
        default: return
        }
        let notice = JSONValue.of(publication.payload)
        // A message that a service has to delete data is not stored.
        guard let id = notice["id"]?.text, notice["kind"]?.text != "data-erased" else { return }
        if stored[id] == nil { fail("\(id) is published and not stored") }
        published.insert(id)
    }

    func filters(of user: Name) -> [String] { [world.topics.string(.unread(user))] }

    func received(_ message: Message, on topic: Topic, by phone: Phone) {
        guard case .notices = topic, let id = JSONValue.of(message.payload)["id"]?.text else {
            return
        }
        phone.notices.last = id
    }

    /// Checks that a page has every notice between its ends that is not about a deleted account.
    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        guard request.method == "notice.list",
            let page = answer["result"]?["notices"]?.elements
        else { return }
        let ids = page.compactMap { $0["id"]?.text }
        if ids != ids.sorted(by: >) { fail("a page of \(phone.id) is in disorder") }
        for id in ids where stored[id] == nil {
            fail("\(phone.id) finds \(id), which is not stored")
        }
    }

    // MARK: At rest

    func checkRest() throws {
        let kept = world.oracles.read { transaction in
            var kept: Set<String> = []
            for user in try transaction.users() {
                for row in try transaction.notices(of: user.id, before: nil, limit: 100_000) {
                    kept.insert(row.id.description)
                }
            }
            return kept
        }
        for id in (kept ?? []).subtracting(published).sorted() {
            fail("\(id) is stored and was never told")
        }
        checkPiles()
    }

    /// Actions that one person can repeat towards another by undoing them each time.
    private static let loops: Set<String> = [
        "friend-added", "location-shared", "added-to-group", "removed-from-group",
    ]

    /// Checks that only one unseen notice is kept of a person's repeated action.
    private func checkPiles() {
        let rows = world.oracles.read { transaction in
            var rows: [NoticeRow] = []
            for user in try transaction.users() {
                rows += try transaction.notices(of: user.id, before: nil, limit: 100_000)
            }
            return rows
        }
        var found: Set<[String]> = []
        for row in rows ?? []
        where !row.isSeen && SimulatedNotices.loops.contains(row.news.kind.name) {
            let group = row.news.text("group") ?? ""
            let source = (row.by ?? row.about?.user).map { "\($0.rawValue)" } ?? "nobody"
            let pile = ["\(row.user.rawValue)", source, row.news.kind.name, group]
            if !found.insert(pile).inserted {
                fail("user \(row.user.rawValue) has \(row.news.kind.name) twice of \(source)")
            }
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for user in try transaction.users() {
            for row in try transaction.notices(of: user.id, before: nil, limit: 100_000) {
                rows.append("notice \(row)")
            }
        }
        return rows
    }

    static var canaries: [Canary] { [forgetNotice, pileUp] }

    /// Bug: a notice does not replace one with the same content.
    private static var pileUp: Canary {
        Canary("pileUp", foundBy: "notices", "shadow") { attempted in
            attempted.sql.hasPrefix("DELETE FROM notices WHERE id = ?") ? .skipped : nil
        }
    }

    /// Bug: a notice is sent but not stored.
    private static var forgetNotice: Canary {
        Canary("forgetNotice", foundBy: "notices") { attempted in
            attempted.sql.hasPrefix(statement) ? .skipped : nil
        }
    }
}

/// The last notice that a phone received.
final class NoticeMemory: PhoneMemory {
    var last: String?

    init() {}
}

extension Phone {
    var notices: NoticeMemory { memory() }
}
