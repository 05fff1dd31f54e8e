import Contract
import JSON
import TestSupport
import Testing

@testable import Bridge

/// Policies for self-registration.
struct RegistrationPolicyTests {
    private func world(_ policy: RegistrationPolicy) throws -> World {
        var settings = BridgeSettings()
        settings.accounts.registration = policy
        return try World.withFamily(settings)
    }

    private func invitation(_ token: String) -> [String: String?] {
        ["invitation": "\"\(token)\""]
    }

    @Test func `Registration without an invitation is refused and reveals no taken names`() throws {
        let world = try world(.invitation)
        for changes in [[:], ["username": #""alice""#], ["username": "7"]] as [[String: String?]] {
            #expect(try world.register(changes) == "registration-closed")
        }
        #expect(try world.askAsGuest("account.register", "{}").outcome == "registration-closed")
        let unknown = invitation(String(repeating: "A", count: 43))
        #expect(try world.register(unknown) == "unknown-invitation")
        #expect(
            try world.register(unknown.merging(["username": #""alice""#, "email": "7"]) { $1 })
                == "invalid: email must be a string")
        #expect(try world.count("users") == 2)
    }

    @Test func `Each use of an invitation creates one account and joins it to the group`() throws {
        let world = try world(.invitation)
        let (token, _) = try world.link("alice", "family", #","uses":2"#)
        #expect(try world.register(invitation(token)) == "ok")
        #expect(world.members() == ["alice", "bob", "carol"])
        _ = try world.token()
        #expect(try world.accept("carol", token) == "ok", "the page does so, and changes nothing")
        let dave: [String: String?] = ["username": #""dave""#, "email": #""dave@example.org""#]
        #expect(try world.register(invitation(token).merging(dave) { $1 }) == "ok")
        let eve: [String: String?] = ["username": #""eve""#, "email": #""eve@example.org""#]
        #expect(try world.register(invitation(token).merging(eve) { $1 }) == "invitation-over")
        #expect(world.members() == ["alice", "bob", "carol", "dave"])
        #expect(try world.count("users") == 4)
    }

    @Test func `Closed registration ignores invitations; the operator adds users`() throws {
        let world = try world(.closed)
        let (token, _) = try world.link()
        #expect(try world.register() == "registration-closed")
        #expect(try world.register(invitation(token)) == "registration-closed")
        try world.addUsers("dave")
        #expect(try world.count("users") == 3)
    }

    @Test(arguments: [RegistrationPolicy.invitation, .closed])
    func `Companies register only under the open policy`(_ policy: RegistrationPolicy) throws {
        let world = try world(policy)
        let (token, _) = try world.link()
        let form = """
            {"company":"Acme","email":"a@example.org","password":"correct horse","acceptTerms":true,
            "invitation":"\(token)"}
            """
        #expect(
            try world.askAsGuest("thirdparty.register", form).outcome == "registration-closed")
        #expect(try world.count("users") == 2)
    }

    @Test func `An invitation is also used under the open policy`() throws {
        let world = try world(.open)
        let (token, _) = try world.link()
        #expect(try world.register(invitation(token)) == "ok")
        #expect(world.members() == ["alice", "bob", "carol"])
    }
}
