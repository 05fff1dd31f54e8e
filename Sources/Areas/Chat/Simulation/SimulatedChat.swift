import Contract
import JSON
import MQTT
import Store
import Tracking

/// People who chat in groups.
///
/// All members see one order, each message appears once, and no confirmed or published message is
/// missing.
final class SimulatedChat: SimulatedArea {
    unowned let world: World
    /// The messages by id.
    private var said: [String: Said] = [:]
    private var lastID = ""
    private var texts: Set<String> = []
    private var presence: [Member: String] = [:]
    /// The times of each message's publication, as far as the broker remembers them.
    private var published: [String: [Duration]] = [:]
    private var payloads: [String: [UInt8]] = [:]

    struct Said {
        let message: ChatLine
        let group: GroupKey
        /// The time at which it reached the disk.
        let at: Duration
    }

    private struct Member: Hashable {
        let user: Int64
        let group: Int64
    }

    init(_ world: World) { self.world = world }

    private func fail(_ oracle: String, _ description: String) {
        world.oracles.fail(oracle, description)
    }

    // MARK: On disk

    private static let left = "DELETE FROM memberships"

    static var statements: [String] { [ChatLine.statement, left] }

    func committed(_ rows: [Written]) {
        for row in rows {
            if let line = ChatLine(row) {
                take(line)
            } else if row.begins(with: SimulatedChat.left), let group = row.integer(0),
                let user = row.integer(1)
            {
                presence[.init(user: user, group: group)] = nil
            }
        }
    }

    private func take(_ message: ChatLine) {
        if message.id <= lastID { fail("chat order", "\(message.id) after \(lastID)") }
        lastID = message.id
        if let text = message.text, world.isAskedOnce(text), message.kind == "message",
            !texts.insert(text).inserted
        {
            fail("chat once", "\(text) was written twice")
        }
        if let user = message.user, ["online", "offline"].contains(message.kind) {
            let key = Member(user: user, group: message.group)
            if presence.updateValue(message.kind, forKey: key) == message.kind {
                fail("chat presence", "user \(user) is \(message.kind) twice")
            }
        }
        guard let group = world.area(SimulatedGroups.self).keys[message.group] else { return }
        said[message.id] = Said(message: message, group: group, at: world.steady)
    }

    // MARK: Published

    func published(_ publication: Message, on topic: Topic) {
        guard case .listed(.chat, _) = topic else { return }
        let payload = publication.payload
        let json = JSONValue.of(payload)
        let id = json["id"]?.text ?? "?"
        guard let message = said[id] else {
            return fail("told what is stored", "message \(id) was published and is not stored")
        }
        if json["group"]?.text != message.group.text || json["kind"]?.text != message.message.kind {
            fail("chat", "message \(id) differs from the stored one")
        }
        compare(payload, json, id)
        published[id, default: []].append(world.steady)
    }

    /// Checks that every copy is the same, or, once the account is deleted, the same without author
    /// and text.
    private func compare(_ payload: [UInt8], _ json: JSONValue, _ id: String) {
        guard json["from"] != nil, let before = payloads.updateValue(payload, forKey: id),
            before != payload
        else { return }
        fail("chat", "there are two messages \(id)")
    }

    func brokerWasKilled(_ lastSave: Duration) {
        published = published.mapValues { $0.filter { $0 < lastSave } }
    }

    // MARK: On a phone

    func received(_ message: Message, on topic: Topic, by phone: Phone) {
        let json = JSONValue.of(message.payload)
        guard case .listed(.chat, let names) = topic, let group = names.group,
            let id = json["id"]?.text,
            phone.chat.shown.insert(id).inserted, let start = phone.groups.since[group]
        else { return }
        // For a phone that was away, the gate withholds messages that name a user erased since
        // then. The copy without the name that the bridge published again after a crash is then the
        // first to arrive, late.
        if json["from"] == nil { return show(id, to: phone, since: start, after: nil) }
        // Only what was shown since the phone subscribed counts.
        let last = phone.chat.last[group].flatMap { $0.since == start ? $0.id : nil }
        show(id, to: phone, since: start, after: last)
        phone.chat.last[group] = (id, start)
    }

    /// - Parameter last: the previous message shown to the phone in this group since it subscribed.
    private func show(_ id: String, to phone: Phone, since start: Duration, after last: String?) {
        guard let message = said[id] else {
            return fail("chat", "\(phone.id) is shown \(id), which nobody wrote")
        }
        // A republished message may be older than the subscription.
        if let last, id < last, message.at > start, phone.isPersistent {
            fail("chat order", "\(phone.id) is shown \(id) after \(last)")
        }
    }

    /// Checks that a message confirmed by a reply exists.
    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        guard let result = answer["result"] else { return }
        switch request.method {
        case "chat.send":
            guard let id = result["message"]?["id"]?.text else { return }
            if said[id]?.message.text != request.fields["text"]?.text {
                fail("chat answered", "\(phone.id): C\(request.number) is not there")
            }
        case "chat.history": check(result["messages"]?.elements ?? [], phone)
        default: break
        }
    }

    /// Checks that a page of the history has every message between its ends.
    private func check(_ page: [JSONValue], _ phone: Phone) {
        let ids = page.compactMap { $0["id"]?.text }
        guard let first = ids.first, let last = ids.last, let group = said[first]?.group else {
            return
        }
        if ids != ids.sorted(by: >) { fail("chat order", "a page is in disorder") }
        let found = Set(ids)
        for (id, message) in said
        where message.group == group && last < id && id < first && !found.contains(id) {
            // Only the last presence message is kept.
            guard !["online", "offline"].contains(message.message.kind) else { continue }
            fail("chat", "\(phone.id) does not find \(id)")
        }
    }

    // MARK: At rest

    /// Whether the author's account is deleted: messages still queued at that time are no longer
    /// delivered.
    private func isOfTheErased(_ id: String) -> Bool {
        guard let payload = payloads[id], let name = JSONValue.of(payload)["from"]?.text,
            let author = Name(name)
        else { return false }
        return world.oracles.read { try !$0.hasUser(author) } ?? false
    }

    /// Checks that every message was published and reached all members who were there to receive
    /// it.
    func checkRest() throws {
        let groups = world.oracles.read { Set(try $0.groups().map(\.key)) }
        guard let groups else { return }
        for (id, message) in said.sorted(by: { $0.key < $1.key })
        where groups.contains(message.group) {
            let times = published[id] ?? []
            if times.isEmpty {
                fail("chat", "\(message.message.kind) \(id) never reached the broker")
            }
            for phone in world.phones where phone.isLoggedIn && phone.isPersistent {
                guard !phone.chat.shown.contains(id),
                    let member = world.area(SimulatedGroups.self).memberSince[phone.user]?[
                        message.group],
                    member < message.at, let since = phone.groups.since[message.group],
                    times.contains(where: { $0 > since }), !isOfTheErased(id)
                else { continue }
                fail("chat", "\(message.message.kind) \(id) has not reached \(phone.id)")
            }
        }
    }
}
