import Contract
import JSON
import MQTT
import Testing
import Tracking

@testable import Bridge

/// Who may add somebody without asking, and what those learn who may not.
struct AddingTests {
    private func add(_ invitee: String, _ group: String = "family") -> String {
        #"{"group":"$\#(group)",\#(invitee)}"#
    }

    private let dave = #""user":"dave""#

    /// Whether Alice is told that Dave is in the family now.
    private func isAdded(_ world: World, _ invitee: String = #""user":"dave""#) throws -> Bool {
        let result = try #require(try world.ask("alice", "group.add", add(invitee))["result"])
        let members = (result["members"]?.elements ?? []).compactMap { $0["user"]?.text }
        #expect((result["invited"] == .bool(true)) != members.contains("dave"))
        #expect(world.members() == members)
        return members.contains("dave")
    }

    @Test func `Somebody is asked first, and told who invites them to what`() throws {
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
    func `Who may add somebody without asking, that person has said`(_ setting: Addability) throws {
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

    @Test func `Unless somebody says otherwise, their friends may add them`() throws {
        let world = try World.withNeighbours()
        let account = try world.ask("dave", "account.get")["result"]
        #expect(account?["addableBy"]?.text == "friends")
        // Whom Alice has on her list has not agreed to anything.
        try world.letAdd("dave", "alice")
        #expect(try !isAdded(world))
        try world.letAdd("alice", "dave")
        #expect(try isAdded(world))
    }

    @Test func `A friend who has been blocked since adds nobody`() throws {
        let world = try World.withNeighbours()
        #expect(try world.outcome("dave", "friend.block", #"{"user":"alice"}"#) == "ok")
        try world.letAdd("alice", "dave")
        #expect(try !isAdded(world))
        #expect(try world.invitations(for: "dave") == [])
    }

    // MARK: What is learned

    /// Everything that Alice can see of an invitation: the answer, and the list.
    private func seen(_ method: String, _ invitee: String, _ world: World) throws -> [JSONValue] {
        let answer = try world.ask("alice", method, add(invitee))
        try world.pass(.seconds(1))
        let list = try world.ask("alice", "invitation.list", add(#""x":0"#))
        let news = try world.ask("alice", "notice.list")
        return [answer, list, news].map { $0.without(["invitation", "expiresAt", "at", "user"]) }
    }

    @Test(arguments: ["group.add", "group.invite"])
    func `Nobody learns whether somebody is there, has blocked them, or does not want to come`(
        _ method: String
    ) throws {
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

    @Test func `No address becomes a name, and nobody learns whose it is`() throws {
        let world = try World.withNeighbours()
        // Addresses that nobody has verified mean nobody.
        #expect(try !isAdded(world, #""email":"dave@example.org""#))
        #expect(try !isAdded(world, #""email":"bob@example.org""#))
        #expect(try world.invitations(for: "dave") == [])
        #expect(
            try world.openInvitations()
                == ["bob@example.org by alice", "dave@example.org by alice"])
        #expect(try world.openInvitations(for: "bob") == ["link by alice", "link by alice"])
    }

    @Test func `The answer is there before anything is looked at that differs`() throws {
        let world = try World.withNeighbours()
        _ = try world.ask("alice", "group.add", add(dave))
        #expect(try world.count("notices", where: "kind = 'invited-to-group'") == 0)
        #expect(try world.count("invitations", where: "told IS NULL") == 1)
        // It is decided after a restart as well.
        try world.restart()
        #expect(try world.invitations(for: "dave") == ["alice to Family"])
    }

    // MARK: What a malicious member may do

    @Test func `Whoever asks again and again is heard once`() throws {
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
        // Somebody else may ask, and Alice for another group.
        _ = try world.ask("bob", "group.add", add(dave))
        _ = try world.ask("alice", "group.add", add(dave, "work"))
        #expect(try world.invitations(for: "dave") == ["alice to Work", "bob to Family"])
        world.sleep(.seconds(31 * 86_400))
        try world.sweep()
        _ = try isAdded(world)
        #expect(try world.invitations(for: "dave") == ["alice to Family"])
    }

    @Test func `Nobody's inbox is filled by one who makes groups for it`() throws {
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

    @Test func `Open invitations have a bound for each inviter and each group`() throws {
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
        // Whoever wants to be added at once still is.
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
