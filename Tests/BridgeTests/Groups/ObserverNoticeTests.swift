import Contract
import JSON
import Languages
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Members are notified of every program that sees what their group sees.
struct ObserverNoticeTests {
    private func make(_ world: World, _ user: Sender = "alice", _ name: String = "Home") throws
        -> UUIDv7
    {
        let reply = try world.ask(
            user, "observer.create", #"{"group":"$family","name":"\#(name)"}"#)
        return try #require(UUIDv7(reply["result"]?["observer"]?.text ?? ""))
    }

    /// A user's notices about observers, the newest first.
    private func told(_ world: World, _ user: Sender) throws -> [String] {
        try world.noticeList(user).notices.compactMap { notice in
            guard let kind = notice["kind"]?.text, kind.hasPrefix("observer-") else { return nil }
            let by = notice["by"]?.text.map { " by \($0)" } ?? ""
            let seen = notice["seen"] == .bool(true) ? "" : " new"
            return "\(kind) \(notice["label"]?.text ?? "?") in \(notice["name"]?.text ?? "?")"
                + by + seen
        }
    }

    @Test func `Every member, including later ones, is notified of an observer and its maker`()
        throws
    {
        let world = try World.withFamily()
        try world.addUsers("carol")
        let id = try make(world)
        #expect(try told(world, "alice") == ["observer-added Home in Family by alice new"])
        #expect(try told(world, "bob") == ["observer-added Home in Family by alice new"])
        #expect(try told(world, "carol") == [])
        try world.operate(.addMember(world.names["family"], "carol"))
        #expect(try told(world, "carol") == ["observer-added Home in Family by alice new"])
        #expect(
            try world.noticeList("carol").notices.first { $0["label"] != nil }?["observer"]?.text
                == id.description)
        #expect(try told(world, "bob").count == 1)
    }

    /// Made by a thief with a stolen phone, it stays when that phone is logged out.
    @Test func `An observer's maker is also notified, on the page and over their channels`() throws
    {
        let world = try World.withChannels()
        let hook = #"{"kind":"webhook","url":"https://owner.example/"}"#
        #expect(try world.outcome("alice", "channel.add", hook) == "ok")
        let unread = try world.noticeList("alice").unread
        _ = try make(world, "alice/stolen")
        #expect(world.handedOver().map(\.message.kind) == ["observer-added"])
        #expect(try world.noticeList("alice").unread == unread + 1)
        #expect(try world.outcome("alice", "device.revoke", #"{"device":"stolen"}"#) == "ok")
        #expect(try world.count("observers") == 1)
    }

    @Test func `Deleting a maker removes notices that name their observers, even unseen ones`()
        throws
    {
        let world = try World.withFamily()
        _ = try make(world, "alice", "Home of Alice")
        #expect(try told(world, "bob").count == 1)
        try world.operate(.removeUser("alice"))
        // Immediately, and from the table with the rest of the account.
        #expect(try told(world, "bob") == [])
        try world.pass(.seconds(5))
        #expect(try world.count("notices", where: "details LIKE '%Home of Alice%'") == 0)
    }

    @Test func `A maker is notified that their observer ended, but not who ended it`() throws {
        let world = try World.withFamily()
        let (one, other) = (try make(world), try make(world, "alice", "Two"))
        // Notices are in the order of their milliseconds.
        world.sleep(.seconds(1))
        let end = { (id: UUIDv7) in #"{"group":"$family","observer":"\#(id)"}"# }
        #expect(try world.outcome("bob", "observer.end", end(one)) == "ok")
        #expect(try told(world, "alice").first == "observer-ended Home in Family new")
        #expect(try world.outcome("alice", "observer.end", end(other)) == "ok")
        #expect(try told(world, "alice").count == 3)
        #expect(try told(world, "bob").allSatisfy { $0.hasPrefix("observer-added") })
    }

    @Test func `The operator ends an observer in any group, and its maker is notified`() throws {
        let world = try World.withFamily()
        let id = try make(world, "bob")
        world.sleep(.seconds(1))
        #expect(try world.operate(.endObserver(id)).first?.outcome == "ok")
        #expect(try world.count("observers") == 0)
        #expect(try told(world, "bob").first == "observer-ended Home in Family new")
        #expect(try world.operate(.endObserver(id)).first?.outcome == "unknown-observer")
    }

    @Test func `Observer notices use different phrases for the maker and for others`() throws {
        let id = UUIDv7(at: Timestamp(milliseconds: 1), random: (1, 2))
        let group = GroupKey.family
        let added = Notice(
            id: id, .observerAdded(group, name: "Family", id, label: "Home"), by: "alice")
        #expect(added.phrases(for: "bob").map(\.text) == [.observerAddedBy])
        #expect(added.phrases(for: "alice").map(\.text) == [.observerAddedByYou])
        let ended = Notice(id: id, .observerEnded(group, name: "Family", id, label: "Home"))
        #expect(ended.phrases(for: "alice").map(\.text) == [.observerEnded])
        #expect(Set(added.phrases(for: "bob")[0].values.keys) == ["group", "name", "label", "by"])
    }

    @Test func `Creating observers is limited per user and day`() throws {
        let world = try World.withFamily()
        for _ in 0..<Groups.maximumObserversADay {
            let end = #"{"group":"$family","observer":"\#(try make(world))"}"#
            #expect(try world.outcome("bob", "observer.end", end) == "ok")
            world.sleep(.seconds(10))
        }
        let create = #"{"group":"$family","name":"One more"}"#
        #expect(try world.outcome("alice", "observer.create", create) == "too-many")
        #expect(try world.outcome("bob", "observer.create", create) == "ok")
        world.sleep(.seconds(86_400))
        #expect(try world.outcome("alice", "observer.create", create) == "ok")
    }

    @Test(arguments: [true, false])
    func `A password reset by link ends observers only with endOthers`(_ endsOthers: Bool) throws {
        let world = try World()
        try world.register()
        try world.addUsers("bob")
        try world.addGroup("Family", "carol", "bob")
        try world.token()
        _ = try make(world, "carol")
        _ = try make(world, "bob", "Bob's")
        var random = SystemRandomNumberGenerator()
        let recovery = AccountLink(.password, using: &random)
        try world.accept(recovery, for: "carol")
        let fields = #""password":"another horse","endOthers":\#(endsOthers)"#
        let reply = try world.askAsGuest(
            "account.recover", #"{"token":"\#(recovery.token)",\#(fields)}"#)
        #expect(reply["result"]?["observers"] == (endsOthers ? .number(1) : nil))
        #expect(try world.count("observers") == (endsOthers ? 1 : 2))
    }

    @Test func `A password change ends observers only with endOthers`() throws {
        let world = try World()
        try world.register()
        try world.addUsers("bob")
        try world.addGroup("Family", "carol", "bob")
        try world.token()
        _ = try make(world, "carol")
        _ = try make(world, "bob", "Bob's")
        let change = #"{"old":"correct horse","new":"another horse"}"#
        #expect(try world.outcome("carol", "account.password", change) == "ok")
        #expect(try world.count("observers") == 2)
        let ending = #"{"old":"another horse","new":"third horse","endOthers":true}"#
        let result = try world.ask("carol", "account.password", ending)["result"]
        #expect(result?["observers"] == .number(1))
        #expect(try world.count("observers") == 1)
    }

    @Test func `Removal from the directory ends a user's observers`() throws {
        let world = try World.withDirectory()
        world.directory?.add("anna")
        #expect(try world.logIn("anna", "of the university").outcome == "ok")
        try world.addUsers("bob")
        try world.addGroup("Family", "anna", "bob")
        let request = #"{"group":"$family","name":"Home"}"#
        #expect(try world.outcome("anna", "observer.create", request) == "ok")
        world.directory?.remove("anna")
        for time in [Duration.seconds(86_400), .seconds(3_600)] {
            #expect(try world.count("observers") == 1)
            world.sleep(time)
            try world.sweep()
        }
        #expect(try world.tokenHashes(of: "anna").isEmpty)
        #expect(try world.count("observers") == 0)
    }
}
