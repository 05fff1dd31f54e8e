import Contract
import JSON
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Links that show a person's position to people without an account.
struct ShareLinkTests {
    @Test func `A link shows where and when, and nothing else`() throws {
        let world = try World.withFamily()
        try world.send(
            world.fixMessage(
                "alice",
                """
                {"latitude":46,"longitude":14.5,"accuracy":5,"timestamp":\(world.now.milliseconds),\
                "altitude":300,"battery":80,"speed":2,"heading":90}
                """))
        let link = try world.sharePosition()
        let view = try #require(world.view(link))
        #expect(view["name"]?.text == "Alice")
        #expect(view["what"]?.text == "position")
        #expect(view.keys == ["name", "what", "until", "fix"])
        let fix = try #require(view["fix"])
        #expect(fix.keys == ["latitude", "longitude", "timestamp", "accuracy"])
        // It shows new positions, whether or not anyone else sees them, and never older ones.
        try world.pass(.seconds(10))
        try world.fix("alice", TestFix(200), TestFix(100, ago: 5))
        #expect(world.meters(link) == 200)
    }

    @Test func `A fix of a user without links publishes nothing to links`() throws {
        let world = try World.withFamily()
        _ = try world.sharePosition("alice")
        _ = world.published()
        try world.fix("bob", TestFix(1))
        #expect(!world.published().contains { $0.topic.hasPrefix("kith/shares/") })
    }

    @Test func `A link ends on time, and when its owner ends it`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(1))
        let short = try world.sharePosition(for: .seconds(100))
        let long = try world.sharePosition(for: .seconds(1000))
        #expect(try world.open(short) == "ok")
        try world.pass(.seconds(99))
        #expect(world.view(short) != nil)
        try world.pass(.seconds(2))
        #expect(world.view(short) == nil)
        #expect(try world.open(short) == "It has ended.")
        #expect(world.view(long) != nil)
        // No one else can end it.
        #expect(
            try world.outcome("bob", "share.end", #"{"share":"\#(long.id)"}"#) == "unknown-link")
        #expect(try world.outcome("alice", "share.end", #"{"share":"\#(long.id)"}"#) == "ok")
        #expect(world.view(long) == nil)
        #expect(try world.open(long) == "It has ended.")
        try world.fix("alice", TestFix(2))
        #expect(world.view(long) == nil)
        #expect(try world.openings() == [])
    }

    @Test func `A link ends on time even after a restart`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(1))
        let link = try world.sharePosition(for: .seconds(100))
        try world.restart()
        #expect(world.view(link) != nil)
        world.sleep(.seconds(200))
        try world.restart()
        try world.turn([], .timers)
        #expect(world.view(link) == nil)
    }

    @Test func `Turning location off ends all links`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(1))
        let links = [try world.sharePosition(), try world.sharePosition()]
        let off = try world.ask("alice", "location.off")
        #expect(off["result"]?["deleted"]?["links"]?.integer == 2)
        for link in links { #expect(world.view(link) == nil) }
        #expect(try world.open(links[0]) == "It has ended.")
    }

    @Test func `A password change ends links only with endOthers`() throws {
        let world = try World()
        try world.register()
        try world.token()
        try world.fix("carol", TestFix(1))
        let link = try world.sharePosition("carol")
        #expect(try world.open(link) == "ok")
        let change = #""old":"correct horse","new":"another horse""#
        #expect(try world.outcome("carol", "account.password", "{\(change)}") == "ok")
        #expect(world.view(link) != nil)
        let ending = #"{"old":"another horse","new":"third horse","endOthers":true}"#
        let result = try world.ask("carol", "account.password", ending)["result"]
        #expect(result?["links"] == .number(1))
        #expect(world.view(link) == nil)
        #expect(try world.open(link) == "It has ended.")
    }

    @Test(arguments: [true, false])
    func `A password reset by link ends share links only with endOthers`(_ endsOthers: Bool) throws
    {
        let world = try World()
        try world.register()
        try world.token()
        try world.fix("carol", TestFix(1))
        let link = try world.sharePosition("carol")
        var random = SystemRandomNumberGenerator()
        let recovery = AccountLink(.password, using: &random)
        try world.accept(recovery, for: "carol")
        let fields = #""password":"another horse","endOthers":\#(endsOthers)"#
        let reply = try world.askAsGuest(
            "account.recover", #"{"token":"\#(recovery.token)",\#(fields)}"#)
        #expect(reply["result"]?["links"] == (endsOthers ? .number(1) : nil))
        #expect((world.view(link) == nil) == endsOthers)
    }

    @Test func `The receipt of a deleted account counts its links`() throws {
        let world = try World.withFamily()
        _ = try world.sharePosition()
        let ended = try world.sharePosition()
        #expect(try world.outcome("alice", "share.end", #"{"share":"\#(ended.id)"}"#) == "ok")
        _ = try world.sharePosition("bob")
        let reply = try world.operate(.removeUser("alice"))
        #expect(reply[0]["result"]?["deleted"]?["links"]?.integer == 2)
    }

    @Test func `A link shows a new name even for a user without groups`() throws {
        let world = try World()
        try world.register()
        try world.token()
        let link = try world.sharePosition("carol")
        #expect(
            try world.outcome("carol", "account.update", #"{"firstName":"Cleo"}"#) == "ok")
        #expect(world.view(link)?["name"]?.text?.hasPrefix("Cleo") == true)
    }

    /// Positions of such a person are shown only now and then.
    @Test func `A pause clears a link immediately, however many requests its owner sends`() throws {
        let world = try FairnessTests.world()
        try world.fix("alice", TestFix(1))
        let link = try world.sharePosition()
        #expect(world.view(link)?["fix"] != nil)
        let until = (world.now + .seconds(3600)).milliseconds
        let pause = world.requestMessage(
            "alice", "sharing.pause", #"{"id":"pause","until":\#(until)}"#)
        try world.turn(
            [pause]
                + (0..<60).map {
                    world.requestMessage(
                        "alice", "members.get", #"{"id":\#($0),"group":"$family"}"#)
                })
        #expect(world.engine.heldBack > 20)
        #expect(world.view(link) != nil)
        #expect(world.view(link)?["fix"] == nil)
    }

    @Test func `Deleting an account clears and deletes its links`() throws {
        let world = try World.withFamily()
        try world.fix("alice", TestFix(1))
        let link = try world.sharePosition()
        try world.operate(.removeUser("alice"))
        #expect(world.view(link) == nil)
        #expect(try world.open(link) == "There is no such link.")
        try world.pass(.seconds(3600))
        #expect(try world.count("share_links") == 0)
    }

    @Test func `A link's owner sees how often it was opened, and the link as a watcher`() throws {
        let world = try World.withFamily()
        let link = try world.sharePosition()
        #expect(try world.openings() == [0])
        #expect(try world.open(link) == "ok")
        #expect(try world.open(link, from: "another") == "ok")
        #expect(try world.openings() == [2])
        let watchers = try world.ask("alice", "sharing.list")["result"]?["watchers"]?.elements
        #expect(watchers?.map { $0["share"]?.text } == [link.id])
        #expect(watchers?.first?["why"]?.text == "link")
        try world.restart()
        #expect(try world.openings() == [2])
        #expect(try world.openings("bob") == [])
    }

    @Test func `Link and viewer tokens are returned once and stored nowhere`() throws {
        let world = try World.withFamily()
        let until = (world.now + .seconds(3600)).milliseconds
        let request = #"{"id":"1","what":"position","until":\#(until)}"#
        let result = try #require(try world.ask("alice", "share.create", request)["result"])
        let token = try #require(result["token"]?.text)
        #expect(token.utf8.count == 43)
        #expect(result["path"]?.text == "/share.html#\(token)")
        let again = try #require(try world.ask("alice", "share.create", request)["result"])
        #expect(again["share"] == result["share"])
        #expect(again["token"] == nil && again["path"] == nil)
        let opened = try #require(
            try world.askAsGuest("share.open", #"{"token":"\#(token)"}"#)["result"])
        let seen = try #require(opened["token"]?.text)
        let secret = seen.split(separator: ".").last ?? ""
        #expect(secret != token)
        for (table, column) in [
            ("replies", "payload"), ("outbox", "payload"), ("share_links", "token_hash"),
            ("share_links", "salt"), ("share_links", "view_hash"),
        ] {
            for text in [token, String(secret)] {
                let condition = "CAST(\(column) AS TEXT) LIKE '%\(text)%'"
                #expect(try world.count(table, where: condition) == 0, "\(table)")
            }
        }
        // The hash with which the gate compares it.
        let hash = try #require(PrincipalToken(seen)?.hash)
        let share = try #require(UUIDv7(result["share"]?.text ?? ""))
        let stored = try world.store.transaction {
            try $0.access(of: Grant(.share, share))?.tokenHash
        }
        #expect(stored == hash)
        #expect(opened["username"]?.text == "share:\(share)")
        #expect(opened["topic"]?.text == "kith/shares/\(share)/state")
    }

    private static let soon = "invalid: until must be a minute to 30 days in the future"

    @Test(arguments: [
        ("{}", "invalid: what is missing"),
        (#"{"what":"vitals"}"#, "invalid: what must be position or journey"),
        (#"{"what":"position"}"#, "invalid: until is missing"),
        (#"{"what":"position","until":1}"#, soon),
        (#"{"what":"position","until":"2099-01-01T00:00:00Z"}"#, soon),
        (#"{"what":"journey"}"#, "not-on-a-journey"),
    ])
    func `Invalid link requests are rejected`(_ request: String, _ outcome: String) throws {
        let world = try World.withFamily()
        #expect(try world.outcome("alice", "share.create", request) == outcome)
        #expect(try world.count("share_links") == 0)
    }

    @Test func `Invalid tokens are refused and then throttled`() throws {
        let world = try World.withFamily()
        var outcomes: [String] = []
        for number in 0..<30 {
            let token = String(repeating: "A", count: 41) + "\(number + 10)".prefix(1) + "A"
            let reply = try world.askAsGuest(
                "share.open", #"{"token":"\#(token)","visitor":"v"}"#)
            outcomes.append(reply.outcome)
        }
        #expect(outcomes.first == "unknown-link")
        #expect(outcomes.last == "too-many-attempts")
        #expect(
            try world.askAsGuest("share.open", #"{"token":"x"}"#, from: "b").outcome
                == "invalid: token is not a link's last part")
    }

    @Test func `Links are limited, and an ended link makes room`() throws {
        let world = try World.withFamily()
        let links = try (0..<ShareLinks.maximum).map { _ in try world.sharePosition() }
        let until = (world.now + .seconds(3600)).milliseconds
        let one = #"{"what":"position","until":\#(until)}"#
        #expect(try world.outcome("alice", "share.create", one) == "too-many")
        try world.ask("alice", "share.end", #"{"share":"\#(links[3].id)"}"#)
        #expect(try world.outcome("alice", "share.create", one) == "ok")
    }

    @Test func `Ended links are forgotten after a while`() throws {
        let world = try World.withFamily()
        _ = try world.sharePosition(for: .seconds(100))
        try world.pass(.seconds(200))
        world.sleep(.seconds(29 * 86_400))
        try world.sweep()
        #expect(try world.count("share_links") == 1)
        world.sleep(.seconds(2 * 86_400))
        try world.sweep()
        #expect(try world.count("share_links") == 0)
    }
}
