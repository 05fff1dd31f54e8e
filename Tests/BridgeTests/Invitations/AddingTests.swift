import Contract
import JSON
import MQTT
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Who can add a user without an invitation, and what others learn.
struct AddingTests {
    private func add(_ invitee: String, _ group: String = "family") -> String {
        #"{"group":"$\#(group)",\#(invitee)}"#
    }

    private let dave = #""user":"dave""#

    /// Whether the reply to Alice lists Dave as a member of the family.
    private func isAdded(_ world: World, _ invitee: String = #""user":"dave""#) throws -> Bool {
        let result = try #require(try world.ask("alice", "group.add", add(invitee))["result"])
        let members = (result["members"]?.elements ?? []).compactMap { $0["user"]?.text }
        #expect((result["invited"] == .bool(true)) != members.contains("dave"))
        #expect(world.members() == members)
        return members.contains("dave")
    }

    @Test func `Adding a user first sends an invitation that names the inviter and the group`()
        throws
    {
        let world = try World.withNeighbours()
        #expect(try !isAdded(world))
        #expect(try world.invitations(for: "dave") == ["alice to Family"])
        let told = try world.ask("dave", "notice.list")["result"]?["notices"]?.elements ?? []
        let notice = try #require(told.first)
        #expect(notice["kind"]?.text == "invited-to-group")
        #expect(notice["name"]?.text == "Family")
        #expect(notice["by"]?.text == "alice")
        #expect(notice["userName"]?.text == "Alice")
        let id = try #require(notice["invitation"]?.text)
        #expect(
            try world.outcome("dave", "invitation.accept", #"{"invitation":"\#(id)"}"#) == "ok")
        #expect(world.members() == ["alice", "bob", "dave"])
        #expect(try world.invitations(for: "dave") == [])
        #expect(try world.openInvitations() == [])
    }

    @Test(arguments: Addability.allCases)
    func `A user's setting decides who can add them without an invitation`(_ setting: Addability)
        throws
    {
        let world = try World.withNeighbours()
        try world.addGroup("Club", "dave", "bob")
        let update = #"{"addableBy":"\#(setting.rawValue)"}"#
        let answer = try world.ask("dave", "account.update", update)
        #expect(answer["result"]?["addableBy"]?.text == setting.rawValue)
        try world.letAdd("carol", "dave")
        try world.restart()
        // Alice knows Dave only by his name; Bob is in his club; Carol is on his list.
        var added: [String] = []
        for (adder, group) in [("alice", "family"), ("bob", "family"), ("carol", "work")] {
            _ = try world.ask(Sender(adder), "group.add", add(dave, group))
            if world.members(group).contains("dave") { added.append(adder) }
        }
        switch setting {
        case .nobody: #expect(added == [])
        case .friends: #expect(added == ["carol"])
        case .anyoneInMyGroups: #expect(added == ["bob", "carol"])
        }
    }

    @Test func `Friends can add a user without an invitation by default`() throws {
        let world = try World.withNeighbours()
        let account = try world.ask("dave", "account.get")["result"]
        #expect(account?["addableBy"]?.text == "friends")
        // Users on Alice's own list have not agreed to anything.
        try world.letAdd("dave", "alice")
        #expect(try !isAdded(world))
        try world.letAdd("alice", "dave")
        #expect(try isAdded(world))
    }

    @Test func `A blocked friend can neither add nor invite the user`() throws {
        let world = try World.withNeighbours()
        #expect(try world.outcome("dave", "friend.block", #"{"user":"alice"}"#) == "ok")
        try world.letAdd("alice", "dave")
        #expect(try !isAdded(world))
        #expect(try world.invitations(for: "dave") == [])
    }

    // MARK: What inviters learn

    /// Everything that Alice can see of an invitation: the answer, and the list.
    private func seen(_ method: String, _ invitee: String, _ world: World) throws -> [JSONValue] {
        let answer = try world.ask("alice", method, add(invitee))
        try world.pass(.seconds(1))
        let list = try world.ask("alice", "invitation.list", add(#""x":0"#))
        let news = try world.ask("alice", "notice.list")
        return [answer, list, news].map { $0.without(["invitation", "expiresAt", "at", "user"]) }
    }

    @Test(arguments: ["group.add", "group.invite"])
    func `Inviters cannot tell whether a user exists, blocked them or declined`(_ method: String)
        throws
    {
        func world() throws -> World { try World.withNeighbours() }
        let nobody = try seen(method, #""user":"nobody""#, try world())
        #expect(nobody[0]["problem"] == nil)
        #expect(nobody[1]["result"]?["invitations"]?.elements.count == 1)
        #expect(try seen(method, dave, try world()) == nobody)

        let blocked = try world()
        try blocked.ask("dave", "friend.block", #"{"user":"alice"}"#)
        #expect(try seen(method, dave, blocked) == nobody)
        #expect(try blocked.invitations(for: "dave") == [])
        #expect(try blocked.count("notices", where: "kind = 'invited-to-group'") == 0)

        let declined = try world()
        _ = try declined.ask("alice", method, add(dave))
        let id = try #require(try declined.received("dave").first?["invitation"]?.text)
        let decline = #"{"invitation":"\#(id)"}"#
        #expect(try declined.outcome("dave", "invitation.decline", decline) == "ok")
        #expect(try declined.invitations(for: "dave") == [])
        #expect(try seen(method, dave, declined) == nobody)
        #expect(try declined.openInvitations() == ["dave by alice"])
    }

    @Test func `Invitations by address reveal neither the account nor, to others, the address`()
        throws
    {
        let world = try World.withNeighbours()
        // Unverified addresses belong to no one.
        #expect(try !isAdded(world, #""email":"dave@example.org""#))
        #expect(try !isAdded(world, #""email":"bob@example.org""#))
        #expect(try world.invitations(for: "dave") == [])
        #expect(
            try world.openInvitations()
                == ["bob@example.org by alice", "dave@example.org by alice"])
        #expect(try world.openInvitations(for: "bob") == ["link by alice", "link by alice"])
    }

    @Test func `The reply to an invitation precedes the lookup of the invitee`() throws {
        let world = try World.withNeighbours()
        _ = try world.ask("alice", "group.add", add(dave))
        #expect(try world.count("notices", where: "kind = 'invited-to-group'") == 0)
        #expect(try world.count("invitations", where: "told IS NULL") == 1)
        // The lookup also happens after a restart.
        try world.restart()
        #expect(try world.invitations(for: "dave") == ["alice to Family"])
    }

    // MARK: What a malicious member may do

    @Test func `Repeated invitations by one inviter notify the invitee once`() throws {
        let world = try World.withNeighbours()
        for _ in 1...3 { _ = try isAdded(world) }
        let id = try #require(try world.received("dave").first?["invitation"]?.text)
        #expect(try world.count("notices", where: "kind = 'invited-to-group'") == 1)
        let decline = #"{"invitation":"\#(id)"}"#
        #expect(try world.outcome("dave", "invitation.decline", decline) == "ok")
        let revoke = #"{"group":"$family","invitation":"\#(id)"}"#
        #expect(try world.outcome("alice", "invitation.revoke", revoke) == "ok")
        _ = try isAdded(world)
        #expect(try world.invitations(for: "dave") == [])
        // Another member can invite him, and Alice can for another group.
        _ = try world.ask("bob", "group.add", add(dave))
        _ = try world.ask("alice", "group.add", add(dave, "work"))
        #expect(try world.invitations(for: "dave") == ["alice to Work", "bob to Family"])
        world.sleep(.seconds(31 * 86_400))
        try world.sweep()
        _ = try isAdded(world)
        #expect(try world.invitations(for: "dave") == ["alice to Family"])
    }

    @Test func `An inviter who creates many groups cannot flood a user's invitations`() throws {
        let world = try World.withNeighbours()
        for number in 1...8 {
            _ = try world.ask("alice", "group.create", #"{"name":"G\#(number)"}"#)
            _ = try world.ask("alice", "group.add", add(dave, "g\(number)"))
        }
        #expect(try world.invitations(for: "dave").count == Invitations.toldPerDay)
        #expect(
            try world.count("notices", where: "kind = 'invited-to-group'") == Invitations.toldPerDay
        )
    }

    @Test func `Open invitations are limited per inviter and per group`() throws {
        let world = try World.withNeighbours()
        let half = Invitations.maximumOfInviter
        for number in 0..<half {
            _ = try world.link("alice", "family")
            if number == half - 2 { _ = try world.link("bob", "family") }
        }
        #expect(try world.outcome("alice", "group.invite", add(#""uses":1"#, "work")) == "too-many")
        #expect(try world.outcome("alice", "group.add", add(dave, "work")) == "too-many")
        for _ in 0..<(half - 1) { _ = try world.link("bob", "family") }
        try world.operate(.addMember(world.names["family"], "carol"))
        #expect(try world.outcome("carol", "group.invite", add(#""uses":1"#)) == "too-many")
        // A user who allows being added directly still is.
        try world.letAdd("carol", "dave")
        #expect(try world.outcome("carol", "group.add", add(dave)) == "ok")
    }
}

extension JSONValue {
    /// The value without these members, wherever they are.
    fileprivate func without(_ keys: Set<String>) -> JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.filter { !keys.contains($0.key) }
                    .map { .init(key: $0.key, value: $0.value.without(keys)) })
        case .array(let elements): .array(elements.map { $0.without(keys) })
        default: self
        }
    }
}
