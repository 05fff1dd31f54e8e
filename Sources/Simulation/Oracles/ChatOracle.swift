import Contract
import MQTT
import Store
import Tracking

/// Checks chats: everybody sees one order, each message comes once, and no message that was
/// confirmed or published is missing.
final class ChatOracle {
    private unowned let oracles: Oracles
    private var world: World { oracles.world }
    /// By id.
    private var said: [String: Said] = [:]
    private var lastID = ""
    private var texts: Set<String> = []
    private var presence: [Episodes.Key: String] = [:]
    /// When each message was published, as far as the broker remembers it.
    private var published: [String: [Duration]] = [:]
    private var payloads: [String: [UInt8]] = [:]

    struct Said {
        let message: Row.Said
        let group: GroupKey
        /// When it was on disk.
        let at: Duration
    }

    init(_ oracles: Oracles) { self.oracles = oracles }

    // MARK: On disk

    func committed(_ rows: [Row]) {
        for row in rows {
            switch row {
            case .said(let message): take(message)
            case .left(let group, let user): presence[.init(user: user, group: group)] = nil
            default: break
            }
        }
    }

    private func take(_ message: Row.Said) {
        if message.id <= lastID { oracles.fail("chat order", "\(message.id) after \(lastID)") }
        lastID = message.id
        if let text = message.text, world.namesAsked.contains(text), message.kind == "message",
            !texts.insert(text).inserted
        {
            oracles.fail("chat once", "\(text) was written twice")
        }
        if let user = message.user, ["online", "offline"].contains(message.kind) {
            let key = Episodes.Key(user: user, group: message.group)
            if presence.updateValue(message.kind, forKey: key) == message.kind {
                oracles.fail("chat presence", "user \(user) is \(message.kind) twice")
            }
        }
        guard let group = oracles.groupKeys[message.group] else { return }
        said[message.id] = Said(message: message, group: group, at: world.steady)
    }

    // MARK: Published

    func published(_ payload: [UInt8]) {
        let json = Row.json(payload)
        let id = json["id"]?.text ?? "?"
        guard let message = said[id] else {
            return oracles.fail("told what is stored", "message \(id) was told and is not stored")
        }
        if json["group"]?.text != message.group.text || json["kind"]?.text != message.message.kind {
            oracles.fail("chat", "message \(id) is told as another")
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
        oracles.fail("chat", "there are two messages \(id)")
    }

    func brokerWasKilled(_ lastSave: Duration) {
        published = published.mapValues { $0.filter { $0 < lastSave } }
    }

    // MARK: On a phone

    /// - Parameter last: the previous message shown to the phone in this group since it subscribed.
    func shown(_ id: String, to phone: Phone, since start: Duration, after last: String?) {
        guard let message = said[id] else {
            return oracles.fail("chat", "\(phone.id) is shown \(id), which nobody wrote")
        }
        // A republished message may be older than the subscription.
        if let last, id < last, message.at > start, phone.isPersistent {
            oracles.fail("chat order", "\(phone.id) is shown \(id) after \(last)")
        }
    }

    /// Checks that a message confirmed by a reply exists.
    func answered(_ result: JSONValue, request: Int, to phone: Phone) {
        if let message = result["message"], let id = message["id"]?.text {
            if said[id]?.message.text != "C\(request)" {
                oracles.fail("chat answered", "\(phone.id): C\(request) is not there")
            }
        }
        if let page = result["messages"] { check(page.elements, phone) }
    }

    /// Checks that a page of the history has every message between its ends.
    private func check(_ page: [JSONValue], _ phone: Phone) {
        let ids = page.compactMap { $0["id"]?.text }
        guard let first = ids.first, let last = ids.last, let group = said[first]?.group else {
            return
        }
        if ids != ids.sorted(by: >) { oracles.fail("chat order", "a page is in disorder") }
        let found = Set(ids)
        for (id, message) in said
        where message.group == group && last < id && id < first && !found.contains(id) {
            // Only the last note of coming or going is kept.
            guard !["online", "offline"].contains(message.message.kind) else { continue }
            oracles.fail("chat", "\(phone.id) does not find \(id)")
        }
    }

    // MARK: At rest

    /// Messages still queued when their author's account is deleted are no longer delivered.
    private func isOfTheErased(_ id: String) throws -> Bool {
        guard let payload = payloads[id], let name = Row.json(payload)["from"]?.text,
            let author = Name(name)
        else { return false }
        return try !oracles.reader.transaction { transaction throws(StoreError) in
            try transaction.hasUser(author)
        }
    }

    /// Checks that every message was published and reached everybody who was there to receive it.
    func check() throws {
        let groups = try oracles.reader.transaction { transaction throws(StoreError) in
            Set(try transaction.groups().map(\.key))
        }
        for (id, message) in said.sorted(by: { $0.key < $1.key })
        where groups.contains(message.group) {
            let times = published[id] ?? []
            if times.isEmpty {
                oracles.fail("chat", "\(message.message.kind) \(id) never reached the broker")
            }
            for phone in world.phones where phone.isLoggedIn && phone.isPersistent {
                guard !phone.chat.contains(id),
                    let member = oracles.memberSince[phone.user]?[message.group],
                    member < message.at, let since = phone.subscribedSince[message.group],
                    times.contains(where: { $0 > since }), try !isOfTheErased(id)
                else { continue }
                oracles.fail("chat", "\(message.message.kind) \(id) has not reached \(phone.id)")
            }
        }
    }
}
