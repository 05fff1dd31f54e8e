import Contract
import JSON
import MQTT
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Notices are kept for users until they have seen them, and longer.
struct NoticeTests {
    /// Alice and Bob, without a group, and Carol.
    private func world() throws -> World {
        let world = try World()
        try world.addUsers("alice", "bob", "carol")
        _ = world.published()
        return world
    }

    @Test func `Published notices are listed newest first and unseen`() throws {
        let world = try world()
        #expect(try world.outcome("bob", "friend.add", #"{"user":"alice"}"#) == "ok")
        let told = world.notices(of: "alice")
        world.sleep(.seconds(1))
        #expect(try world.outcome("carol", "friend.add", #"{"user":"alice"}"#) == "ok")
        let list = try world.noticeList("alice")
        #expect(list.words == ["carol friend-added new", "bob friend-added new"])
        #expect(list.unread == 2)
        #expect(told.count == 1)
        #expect(told.first?["id"] == list.notices.last?["id"])
        #expect(try world.noticeList("bob").words == [])
    }

    @Test func `Adding a member notifies both sides of who was added and by whom`() throws {
        let world = try world()
        try world.addGroup("Family", "alice")
        try world.letAdd("alice", "bob")
        #expect(
            try world.outcome("alice", "group.add", #"{"group":"$family","user":"bob"}"#) == "ok")
        for user in ["alice", "bob"] as [Sender] {
            let notice = try #require(try world.noticeList(user).notices.first)
            #expect(notice["kind"]?.text == "added-to-group")
            #expect(notice["user"]?.text == "bob")
            #expect(notice["userName"]?.text == "Bob")
            #expect(notice["by"]?.text == "alice")
            #expect(notice["name"]?.text == "Family")
        }
    }

    @Test func `Seen notices are no longer counted, and the count is retained`() throws {
        let world = try world()
        for user in ["bob", "carol"] as [Sender] {
            #expect(try world.outcome(user, "friend.add", #"{"user":"alice"}"#) == "ok")
            world.sleep(.seconds(1))
        }
        #expect(world.unread(of: "alice") == #"{"notices":2,"alerts":0,"chat":0}"#)
        let first = try #require(try world.noticeList("alice").notices.last?["id"]?.text)
        let reply = try world.ask("alice", "notice.seen", #"{"through":"\#(first)"}"#)
        #expect(reply["result"]?["unread"] == .number(1))
        #expect(world.unread(of: "alice") == #"{"notices":1,"alerts":0,"chat":0}"#)
        #expect(
            try world.noticeList("alice").words == [
                "carol friend-added new", "bob friend-added seen",
            ])
        // Other users' notices are not marked by it.
        #expect(try world.ask("bob", "notice.seen", #"{"through":"\#(first)"}"#)["result"] != nil)
        try world.restart()
        #expect(try world.noticeList("alice").unread == 1)
        let last = try #require(try world.noticeList("alice").notices.first?["id"]?.text)
        _ = try world.ask("alice", "notice.seen", #"{"through":"\#(last)"}"#)
        #expect(world.unread(of: "alice") == "")
    }

    @Test func `A long notice list is paged`() throws {
        let world = try world()
        try world.addGroup("Family", "alice")
        try world.letAdd("alice", "bob")
        for _ in 0..<7 {
            _ = try world.ask("alice", "group.add", #"{"group":"$family","user":"bob"}"#)
            _ = try world.ask("alice", "group.remove", #"{"group":"$family","user":"bob"}"#)
            let last = try #require(try world.noticeList("bob").notices.first?["id"]?.text)
            _ = try world.ask("bob", "notice.seen", #"{"through":"\#(last)"}"#)
            world.sleep(.seconds(1))
        }
        let whole = try world.noticeList("bob").words
        #expect(whole.count == 21, "added, removed, and nobody left")
        var (pages, more) = ([[String]](), "")
        repeat {
            let page = try world.noticeList("bob", #""limit":5\#(more)"#)
            pages.append(page.words)
            more = page.next.map { #","before":"\#($0)""# } ?? ""
        } while !more.isEmpty
        #expect(pages.map(\.count) == [5, 5, 5, 5, 1])
        #expect(pages.flatMap { $0 } == whole)
    }

    @Test func `Only a user's newest notices are kept, up to the limit`() throws {
        let world = try world()
        let bob = try #require(world.engine.memory.person("bob"))
        try world.store.transaction { transaction in
            for number in 0..<BridgeSettings.maximumNotices + 3 {
                let at = world.now + .milliseconds(Int64(number))
                try transaction.insert(
                    NoticeRow(
                        id: UUIDv7(at: at, random: (1, 2)), user: bob.id, news: .locationShared,
                        about: nil, by: nil, at: at))
            }
        }
        try world.restart()
        world.sleep(.seconds(60))
        #expect(try world.outcome("alice", "friend.add", #"{"user":"bob"}"#) == "ok")
        #expect(try world.count("notices") == BridgeSettings.maximumNotices)
        let list = try world.noticeList("bob")
        #expect(list.words.first == "alice friend-added new")
        #expect(list.unread == BridgeSettings.maximumNotices)
    }

    @Test func `Login notices do not displace other notices`() throws {
        let world = try world()
        let bob = try #require(world.engine.memory.person("bob"))
        let kinds: [Notice.News] = [.passwordChanged, .friendAdded]
        try world.store.transaction { transaction in
            let logins = (0..<BridgeSettings.maximumNoticesOfAccount + 3).map { _ in
                Notice.News.newLogin(device: "evil")
            }
            for (number, news) in (kinds + logins).enumerated() {
                let at = world.now + .milliseconds(Int64(number))
                try transaction.insert(
                    NoticeRow(
                        id: UUIDv7(at: at, random: (1, 2)), user: bob.id, news: news, about: nil,
                        by: nil, at: at))
                try transaction.keepNotices(
                    of: bob.id, news.kind.share, atMost: BridgeSettings.maximumNoticesOfAccount)
            }
        }
        #expect(
            try world.count("notices", where: "kind = 'new-login'")
                == BridgeSettings.maximumNoticesOfAccount)
        for kind in kinds {
            #expect(try world.count("notices", where: "kind = '\(kind.kind.filed)'") == 1)
        }
    }

    @Test(arguments: [
        Notice.News.passkey(label: "Key", isAdded: true),
        .passkey(label: "Key", isAdded: false), .secondFactor(isOn: false), .emailChanged,
        .newLogin(device: "evil"), .channelLost(label: "Browser"),
    ])
    func `Friend notices do not displace account notices`(_ news: Notice.News) throws {
        let world = try world()
        let bob = try #require(world.engine.memory.person("bob"))
        try world.store.transaction { transaction in
            for number in 0...BridgeSettings.maximumNotices {
                let at = world.now + .milliseconds(Int64(number))
                try transaction.insert(
                    NoticeRow(
                        id: UUIDv7(at: at, random: (1, 2)), user: bob.id,
                        news: number == 0 ? news : .friendAdded, about: nil, by: nil, at: at))
            }
        }
        world.sleep(.seconds(60))
        #expect(try world.outcome("alice", "friend.add", #"{"user":"bob"}"#) == "ok")
        #expect(try world.count("notices", where: "kind = '\(news.kind.filed)'") == 1)
    }

    @Test func `A repeated notice by the same person replaces the unseen one`() throws {
        let world = try world()
        for _ in 0..<10 {
            #expect(try world.outcome("bob", "friend.add", #"{"user":"alice"}"#) == "ok")
            #expect(try world.outcome("bob", "friend.remove", #"{"user":"alice"}"#) == "ok")
            world.sleep(.seconds(1))
        }
        _ = try world.outcome("carol", "friend.add", #"{"user":"alice"}"#)
        let list = try world.noticeList("alice")
        #expect(list.words == ["carol friend-added new", "bob friend-added new"])
        #expect(list.unread == 2)
        let newest = try #require(list.notices.first?["id"]?.text)
        _ = try world.ask("alice", "notice.seen", #"{"through":"\#(newest)"}"#)
        #expect(try world.outcome("bob", "friend.add", #"{"user":"alice"}"#) == "ok")
        #expect(try world.noticeList("alice").words.count == 3, "what was seen stays")
    }

    @Test func `A sender displaces only their own notices`() throws {
        let world = try world()
        let people = try ["alice", "bob", "carol"].map {
            try #require(world.engine.memory.person(Name($0) ?? "x0"))
        }
        try world.store.transaction { transaction in
            for number in 0..<BridgeSettings.maximumNotices {
                let at = world.now + .milliseconds(Int64(number))
                try transaction.insert(
                    NoticeRow(
                        id: UUIDv7(at: at, random: (1, 2)), user: people[0].id,
                        news: number == 0 ? .locationShared : .friendAdded,
                        about: .init(user: people[number == 0 ? 2 : 1].id, name: "N"), by: nil,
                        at: at, isSeen: true))
            }
        }
        world.sleep(.seconds(60))
        for _ in 0..<5 {
            #expect(try world.outcome("bob", "friend.add", #"{"user":"alice"}"#) == "ok")
            _ = try world.outcome("bob", "friend.remove", #"{"user":"alice"}"#)
        }
        #expect(try world.count("notices") == BridgeSettings.maximumNotices)
        #expect(try world.count("notices", where: "kind = 'location-shared'") == 1)
    }

    @Test func `A sender's repeated notices are no longer pushed immediately`() throws {
        let world = try world()
        var told = 0
        _ = try world.outcome("bob", "friend.add", #"{"user":"alice"}"#)
        _ = world.published()
        for _ in 0..<200 {
            _ = try world.outcome("bob", "friend.share", #"{"with":["alice"]}"#)
            _ = try world.outcome("bob", "friend.unshare", #"{"with":["alice"]}"#)
            told += world.notices(of: "alice").count
            world.sleep(.milliseconds(100))
        }
        #expect((119...120).contains(told), "one was spent by adding")
        #expect(try world.outcome("carol", "friend.add", #"{"user":"alice"}"#) == "ok")
        #expect(world.notices(of: "alice").count == 1, "another sender has an allowance")
        #expect(try world.noticeList("alice").unread == 3)
        world.sleep(.seconds(120))
        _ = try world.outcome("bob", "friend.share", #"{"with":["alice"]}"#)
        #expect(world.notices(of: "alice").count == 1)
    }

    @Test func `A replaced notice keeps its place in the channel's queue`() throws {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.webhook)
        for _ in 0..<40 {
            _ = try world.ask("alice", "friend.add", #"{"user":"bob"}"#)
            _ = try world.ask("alice", "friend.remove", #"{"user":"bob"}"#)
        }
        #expect(try world.count("deliveries", where: "kind = 'friend-added'") == 1)
    }

    @Test func `A missed-place notice stays listed, whatever its subject causes`() throws {
        let world = try world()
        let people = try ["alice", "bob"].map {
            try #require(world.engine.memory.person(Name($0) ?? "x0"))
        }
        try world.store.transaction { transaction in
            for number in 0...BridgeSettings.maximumNotices {
                let at = world.now + .milliseconds(Int64(number))
                let id = UUIDv7(at: at, random: (1, 2))
                let news: Notice.News =
                    number == 0
                    ? .placeMissed(id, name: "School", at: at, isKnown: true, isOwn: true)
                    : .friendAdded
                try transaction.insert(
                    NoticeRow(
                        id: id, user: people[0].id, news: news,
                        about: .init(user: people[1].id, name: "Bob"), by: nil, at: at,
                        isSeen: true))
            }
        }
        world.sleep(.seconds(60))
        for _ in 0..<5 {
            _ = try world.outcome("bob", "friend.add", #"{"user":"alice"}"#)
            _ = try world.outcome("bob", "friend.remove", #"{"user":"alice"}"#)
        }
        #expect(try world.count("notices", where: "kind = 'place-missed'") == 1)
    }

    @Test func `A missed-place notice of the user's own rule outlasts other place notices`() throws
    {
        let world = try world()
        let people = try ["alice", "bob"].map {
            try #require(world.engine.memory.person(Name($0) ?? "x0"))
        }
        let start = world.now
        try world.store.transaction { transaction in
            for number in 0...250 {
                let at = start + .milliseconds(Int64(number))
                let id = UUIDv7(at: at, random: (1, 2))
                let news: Notice.News =
                    number % 2 == 1
                    ? .placeChanged(
                        .init(
                            id, name: "Kiosk", was: "School", metres: 1, radius: 1, radiusWas: 1,
                            centreWas: nil, rule: nil))
                    : .placeMissed(id, name: "School", at: at, isKnown: true, isOwn: number == 0)
                try transaction.insert(
                    NoticeRow(
                        id: id, user: people[0].id, news: news,
                        about: .init(user: people[1].id, name: "Bob"), by: nil, at: at,
                        isSeen: true))
                try transaction.keepNotices(of: people[0].id, news.kind.share, atMost: 100)
            }
        }
        #expect(try world.count("notices", where: "kind = 'place-missed'") == 1)
        #expect(try world.count("notices", where: "kind = 'place-changed'") == 100)
        world.sleep(.seconds(60))
        let kinds = try world.noticeList("alice", #""limit":100"#).notices.map { $0["kind"]?.text }
        #expect(Set(kinds) == ["place-missed", "place-changed"])
    }

    @Test func `Old notices are deleted and no longer counted`() throws {
        let world = try world()
        #expect(try world.outcome("bob", "friend.add", #"{"user":"alice"}"#) == "ok")
        #expect(world.unread(of: "alice") == #"{"notices":1,"alerts":0,"chat":0}"#)
        world.sleep(.seconds(91 * 86_400))
        try world.sweep()
        #expect(try world.count("notices") == 0)
        #expect(world.unread(of: "alice") == "")
    }

    @Test func `Deleting an account removes its user from others' notices`() throws {
        let world = try world()
        try world.addGroup("Family", "alice", "carol")
        let alice = try #require(world.engine.memory.person("alice")).id.rawValue
        _ = try world.ask("alice", "group.remove", #"{"group":"$family","user":"carol"}"#)
        world.sleep(.seconds(1))
        _ = try world.ask("alice", "friend.add", #"{"user":"bob"}"#)
        #expect(world.unread(of: "bob") == #"{"notices":1,"alerts":0,"chat":0}"#)
        try world.operate(.removeUser("alice"))
        #expect(try world.noticeList("bob").words == [])
        #expect(world.unread(of: "bob") == "")
        let carols = try world.noticeList("carol").notices
            .filter { $0["kind"]?.text != "nobody-left" }
        #expect(carols.map { $0["kind"]?.text } == ["removed-from-group", "added-to-group"])
        #expect(carols.map { $0["by"]?.text } == [nil, nil])
        try world.pass(.seconds(60))
        #expect(try world.count("notices", where: "user_id = \(alice) OR about_id = \(alice)") == 0)
        #expect(try world.count("notices", where: "by_id IS NOT NULL") == 0)
    }

    @Test func `Invalid notice requests change nothing`() throws {
        let world = try world()
        #expect(try world.outcome("bob", "friend.add", #"{"user":"alice"}"#) == "ok")
        for wrong in [#"{}"#, #"{"through":"x"}"#, #"{"through":7}"#] {
            #expect(
                try world.outcome("alice", "notice.seen", wrong).hasPrefix("invalid: through "))
        }
        #expect(
            try world.outcome("alice", "notice.list", #"{"limit":0}"#)
                .hasPrefix("invalid: limit "))
        #expect(try world.noticeList("alice").unread == 1)
    }
}

extension World {
    /// The notices published for a user since the last call.
    func notices(of user: Name) -> [JSONValue] {
        published().filter { $0.topic == topics.string(.notices(user)) }.map { .read($0.payload) }
    }

    func noticeList(_ who: Sender, _ fields: String = "") throws
        -> (notices: [JSONValue], words: [String], next: String?, unread: Int)
    {
        let reply = try ask(who, "notice.list", "{\(fields)}")
        let result = try #require(reply["result"], "\(reply.outcome)")
        let notices = result["notices"]?.elements ?? []
        let words = notices.map { notice in
            let seen = notice["seen"] == .bool(true) ? "seen" : "new"
            return "\(notice["user"]?.text ?? "nobody") \(notice["kind"]?.text ?? "?") \(seen)"
        }
        return (notices, words, result["next"]?.text, Int(result["unread"]?.integer ?? -1))
    }

    /// The count as the broker retains it; empty if none.
    fileprivate func unread(of user: Name) -> String {
        String(decoding: retained[topics.string(.unread(user))] ?? [], as: UTF8.self)
    }
}
