import Contract
import JSON
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Accounts that the operator disables and enables again.
struct DisablingTests {
    /// Carol, who has registered, with a phone.
    private func world() throws -> World {
        let world = try World()
        try world.register()
        try world.token(device: "phone")
        _ = world.published()
        return world
    }

    /// The number of the user's share links.
    private func links(of user: Name, in world: World) throws -> Int {
        let memory = world.engine.memory
        let id = try #require(memory.account(user)).id
        return memory.state(ShareLinkState.self).links[id]?.count ?? 0
    }

    @Test func `A disabled account cannot log in until it is enabled`() throws {
        let world = try world()
        let reply = try world.operate(.disableUser("carol"))[0]
        #expect(reply["result"]?["ended"]?.integer == 1)
        #expect(try world.tokenHashes().isEmpty)
        #expect(try world.logIn().outcome == "not-allowed")
        // A wrong password does not reveal it.
        #expect(try world.logIn("carol", "wrong horse").outcome == "wrong-credentials")
        try world.restart()
        #expect(try world.logIn().outcome == "not-allowed")
        let token = OperatorCommand.setToken(
            user: "carol", device: "watch", hash: [UInt8](0..<32), speaksOwnTracks: false)
        #expect(try world.operate(token)[0].outcome == "not-allowed")
        #expect(try world.operate(.enableUser("carol"))[0].outcome == "ok")
        #expect(try world.logIn().outcome == "ok")
        #expect(try world.operate(.disableUser("nobody"))[0].outcome == "unknown-user")
    }

    @Test func `A disabled member gets no alerts and is not shown as reachable`() throws {
        let world = try World.withChannels()
        _ = try world.add("bob", ChannelTests.webhook)
        _ = world.handedOver()
        func reached() throws -> Int? {
            try world.ask("alice", "members.get", #"{"group":"$family","reached":true}"#)[
                "result"]?["members"]?.elements.first { $0["user"]?.text == "bob" }?["reached"]?
                .elements.count
        }
        #expect(try reached() == 1)
        try world.operate(.disableUser("bob"))
        #expect(try reached() ?? 0 == 0)
        _ = try world.ask("alice", "sos.trigger", #"{"fix":{"latitude":46,"longitude":14.5}}"#)
        #expect(world.handedOver().isEmpty)
        try world.operate(.enableUser("bob"))
        try world.pass(.seconds(65))
        #expect(world.handedOver().map(\.message.kind) == ["sos"])
    }

    @Test func `A disabled caller's SOS goes on, and the phone is logged out at its end`() throws {
        let world = try World.withFamily()
        try world.operate(
            .setToken(
                user: "alice", device: "phone", hash: [UInt8](0..<32), speaksOwnTracks: false))
        try world.fix("alice", TestFix(0))
        _ = try world.ask("alice", "sos.trigger", #"{"fix":{"latitude":46,"longitude":14.5}}"#)
        let until = (world.now + .seconds(3600)).milliseconds
        #expect(
            try world.outcome("alice", "share.create", #"{"what":"position","until":\#(until)}"#)
                == "ok")
        let reply = try world.operate(.disableUser("alice"))[0]
        #expect(reply["result"]?["kept"]?.elements.compactMap(\.text) == ["phone"])
        try world.sweep()
        #expect(try world.tokenHashes(of: "alice").count == 1)
        #expect(try links(of: "alice", in: world) == 1)
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        world.sleep(.seconds(120))
        try world.sweep()
        #expect(try world.tokenHashes(of: "alice").isEmpty)
        #expect(try links(of: "alice", in: world) == 0)
    }

    @Test func `Disabling a company revokes the tokens of only its own services`() throws {
        let world = try World()
        for name in ["acme", "other"] {
            try world.makeCompany(name)
            try world.makeService("\(name)-runs", of: name == "acme" ? "acme/desk" : "other/desk")
        }
        try world.operate(.disableUser("acme"))
        #expect(try world.tokenHashes(of: "acme-runs").isEmpty)
        #expect(try world.tokenHashes(of: "other-runs").count == 1)
    }

    @Test func `A caller disabled without a position can still log in to end the SOS`() throws {
        let world = try world()
        try world.addUsers("bob")
        try world.addGroup("Family", "carol", "bob")
        #expect(try world.outcome("carol", "sos.trigger") == "ok")
        let reply = try world.operate(.disableUser("carol"))[0]
        #expect(reply["result"]?["kept"]?.elements.compactMap(\.text) == ["phone"])
        #expect(try world.logIn(device: "watch").outcome == "ok")
        #expect(try world.outcome("carol", "sos.stop") == "ok")
        try world.restart()
        world.sleep(.seconds(120))
        try world.sweep()
        #expect(try world.tokenHashes().isEmpty)
        #expect(try world.logIn().outcome == "not-allowed")
    }

    @Test func `A disabled caller's share link ends with the SOS, even when logged out`() throws {
        let world = try World.withFamily()
        _ = try world.ask("alice", "sos.trigger", #"{"fix":{"latitude":46,"longitude":14.5}}"#)
        let until = (world.now + .seconds(3600)).milliseconds
        _ = try world.ask("alice", "share.create", #"{"what":"position","until":\#(until)}"#)
        try world.operate(.disableUser("alice"))
        #expect(try links(of: "alice", in: world) == 1)
        #expect(try world.outcome("alice", "sos.stop") == "ok")
        world.sleep(.seconds(120))
        try world.sweep()
        #expect(try links(of: "alice", in: world) == 0)
    }

    @Test func `A disabled inviter's link is refused until the inviter is enabled`() throws {
        let world = try World.withChannels()
        let reply = try world.ask("alice", "group.invite", #"{"group":"$family"}"#)
        let token = try #require(reply["result"]?["token"]?.text)
        let accept = #"{"token":"\#(token)"}"#
        try world.operate(.disableUser("alice"))
        #expect(try world.outcome("dave", "invitation.accept", accept) != "ok")
        try world.operate(.enableUser("alice"))
        #expect(try world.outcome("dave", "invitation.accept", accept) == "ok")
    }
}
