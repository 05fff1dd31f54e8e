import Contract
import Directory
import JSON
import Store
import TestSupport
import Testing
import Tracking
import Transfer

@testable import Bridge

/// Logging in with an organisation's credentials.
struct DirectoryLoginTests {
    let university = "of the university"

    func user(_ reply: JSONValue) -> String? { reply["result"]?["user"]?.text }

    func account(_ world: World, _ user: Sender) throws -> JSONValue {
        try world.ask(user, "account.get")["result"] ?? .null
    }

    func hash(_ world: World, _ user: Name) throws -> String? {
        try world.store.transaction { transaction in
            guard let row = try transaction.user(user) else { return nil }
            return try transaction.passwordHash(of: row.id)
        }
    }

    // MARK: The first time

    @Test func `The first directory login creates an account`() throws {
        let world = try World.withDirectory()
        world.directory?.add("Anna.Müller@uni", id: "7", last: "Müller", mail: "Anna@Example.org")
        let reply = try world.logIn("anna.müller@uni", university)
        #expect(user(reply) == "anna-mueller")
        #expect(DeviceToken(reply["result"]?["token"]?.text ?? "") != nil)
        let account = try account(world, "anna-mueller")
        #expect(account["name"]?.text == "Anna Müller")
        #expect(account["firstName"]?.text == "Anna")
        #expect(account["email"]?.text == "Anna@Example.org")
        #expect(account["emailVerified"] == nil)
        #expect(account["directory"] == .bool(true))
        #expect(try hash(world, "anna-mueller") == nil)
        // The second time it is the same one.
        #expect(
            user(try world.logIn("ANNA.MÜLLER@uni", university, device: "watch")) == "anna-mueller")
        #expect(try world.tokenHashes(of: "anna-mueller").count == 2)
        try world.restart()
        #expect(user(try world.logIn("anna.müller@uni", university)) == "anna-mueller")
    }

    @Test(arguments: [
        (String?.none, String?.none, "anna"), ("Anna", nil, "Anna"), (nil, "Lake", "Lake"),
        ("An\u{202E}na", "Lake", "Lake"), (String(repeating: "x", count: 500), "Lake", "Lake"),
        ("", "", "anna"),
    ])
    func `A directory login creates an account whatever the entry's names are`(
        _ first: String?, _ last: String?, _ shown: String
    ) throws {
        let world = try World.withDirectory()
        world.directory?.add("anna", first: first, last: last, mail: "no address")
        #expect(user(try world.logIn("anna", university)) == "anna")
        #expect(try account(world, "anna")["name"]?.text == shown)
        #expect(try account(world, "anna")["email"] == nil)
    }

    @Test func `No directory is queried unless one is configured`() throws {
        let world = try World()
        world.directory = FakeDirectory()
        world.directory?.add("anna")
        #expect(try world.logIn("anna", university).outcome == "wrong-credentials")
        #expect(world.directory?.asked == [])
    }

    // MARK: Wrong credentials

    /// The same reply and the same steps: the comparison here and the directory query.
    @Test(arguments: ["carol", "carol@example.org", "anna", "new", "nobody", "nobody@example.org"])
    func `A failed login reveals neither accounts nor directory entries`(_ login: String) throws {
        let world = try World.withDirectory()
        try world.register()
        for name in ["anna", "new"] { world.directory?.add(name) }
        try world.logIn("anna", university)
        let before = world.directory?.asked.count ?? 0
        world.worksOnPasswords = false
        let message = try world.guestMessage(
            "account.login", #"{"login":"\#(login)","password":"a wrong one","device":"phone"}"#)
        #expect(try world.turn([message]).isEmpty)
        let work = world.engine.takeWork(PasswordWork.self)
        #expect(work.map(\.check?.against.cost) == [PasswordHash.Cost(ln: 10, r: 1, p: 1)])
        let next = try world.turn(
            [], outcomes: work.map { $0.perform() })
        #expect(world.directory?.asked.dropFirst(before) == [login])
        #expect(next.map { JSONValue.read($0.payload).outcome } == ["wrong-credentials"])
        #expect(
            JSONValue.read(next[0].payload)["problem"]?["detail"]?.text
                == "The user name or the password is wrong.")
    }

    @Test func `A correct Kith password is never sent to the directory`() throws {
        let world = try World.withDirectory()
        try world.register()
        world.directory?.trouble = .timedOut
        #expect(try world.logIn().outcome == "ok")
        #expect(world.directory?.asked == [])
    }

    @Test func `An empty password is not sent to the directory`() throws {
        let world = try World.withDirectory()
        world.directory?.add("anna", "")
        #expect(try world.logIn("anna", "").outcome == "invalid: password must not be empty")
        #expect(world.directory?.asked == [])
    }

    @Test func `Guesses at one name in many spellings are slowed down`() throws {
        let world = try World.withDirectory()
        world.directory?.add("müller")
        let spellings = ["müller", "MÜLLER", "muller", "mueller", "mü-ller@uni", "mu\u{308}ller"]
        var outcomes: [String] = []
        for attempt in 0..<60 {
            outcomes.append(
                try world.logIn(spellings[attempt % spellings.count], "guess \(attempt)").outcome)
        }
        #expect(outcomes.last == "too-many-attempts")
        #expect((world.directory?.asked.count ?? 0) < 12)
    }

    /// Otherwise passwords of this service could be guessed while the directory is down.
    @Test func `Guessing is slowed down while the directory is down`() throws {
        let world = try World.withDirectory()
        try world.register()
        world.directory?.trouble = .unreachable
        var outcomes: [String] = []
        for attempt in 0..<30 {
            outcomes.append(try world.logIn("carol", "guess \(attempt)").outcome)
        }
        #expect(outcomes.first == "directory-unreachable")
        #expect(outcomes.last == "too-many-attempts")
    }

    /// A login to one account does not excuse the guesses at another.
    @Test func `A user's own login does not reset guesses at another account`() throws {
        let world = try World.withDirectory()
        try world.register()
        world.directory?.add("eve", id: "e")
        #expect(user(try world.logIn("eve", university)) == "eve")
        // Eve's user name has become Carol's since.
        world.directory?.remove("e")
        world.directory?.add("carol", "of eve", id: "e")
        var outcomes: [String] = []
        for attempt in 0..<40 {
            outcomes.append(try world.logIn("carol", "guess \(attempt)").outcome)
            _ = try world.logIn("carol", "of eve")
        }
        #expect(outcomes.last == "too-many-attempts")
        #expect(try world.tokenHashes(of: "carol").isEmpty)
    }

    // MARK: Down

    @Test func `A directory outage is reported and affects nothing else`() throws {
        let world = try World.withDirectory()
        try world.register()
        world.directory?.add("anna")
        try world.logIn("anna", university)
        world.directory?.trouble = .timedOut
        for login in ["anna", "nobody"] {
            let reply = try world.logIn(login, university)
            #expect(reply.outcome == "directory-unreachable")
            #expect(reply["problem"]?["status"]?.integer == 503)
        }
        #expect(try world.logIn().outcome == "ok")
        #expect(try world.outcome("anna", "account.get") == "ok")
        #expect(world.engine.metrics["directory-failures"] == 2)
        world.directory?.trouble = nil
        #expect(user(try world.logIn("anna", university)) == "anna")
    }

    /// The engine submits a bounded number and refuses the others.
    @Test func `A hung directory holds at most 64 logins and no Kith password`() throws {
        let world = try World.withDirectory()
        try world.register()
        let answering = world.directory
        world.directory = nil
        var replies: [String] = []
        for number in 0..<100 {
            let published = try world.turn([
                try world.guestMessage(
                    "account.login",
                    #"{"login":"user\#(number)","password":"x","device":"phone","visitor":"v\#(number)"}"#,
                    from: "mosq-\(number)")
            ])
            replies += published.map { JSONValue.read($0.payload).outcome }
        }
        #expect(replies == Array(repeating: "too-many-attempts", count: 36))
        #expect(world.engine.metrics["directory-waiting"] == 64)
        #expect(world.engine.metrics["directory-put-off"] == 36)
        #expect(try world.logIn().outcome == "ok")
        world.directory = answering
        #expect(try world.askDirectory().count == 64)
        #expect(world.engine.metrics["directory-waiting"] == 0)
    }

    // MARK: Other people's accounts

    @Test func `A directory login never takes over a Kith account`() throws {
        let world = try World.withDirectory()
        try world.register()
        world.directory?.add("Carol", mail: "other@example.org")
        let reply = try world.logIn("carol", university)
        #expect(reply.outcome == "not-allowed")
        #expect(
            reply["problem"]?["detail"]?.text?.contains("ask the operator of this service") == true)
        #expect(try world.tokenHashes().isEmpty)
        #expect(try world.logIn().outcome == "ok")
        #expect(try account(world, "carol")["directory"] == nil)
    }

    @Test func `A directory account does not get an address that is taken`() throws {
        let world = try World.withDirectory()
        try world.register()
        world.directory?.add("anna", mail: "CAROL@example.org")
        #expect(user(try world.logIn("anna", university)) == "anna")
        #expect(try account(world, "anna")["email"] == nil)
        #expect(user(try world.logIn("carol@example.org")) == "carol")
    }

    @Test func `Two entries with the same converted name get separate accounts`() throws {
        let world = try World.withDirectory()
        world.directory?.add("anna.lake", "one", id: "1")
        world.directory?.add("anna-lake", "two", id: "2")
        #expect(user(try world.logIn("anna.lake", "one")) == "anna-lake")
        #expect(user(try world.logIn("anna-lake", "two")) == "anna-lake-2")
        #expect(user(try world.logIn("anna.lake", "one", device: "tablet")) == "anna-lake")
        #expect(user(try world.logIn("anna-lake", "two", device: "tablet")) == "anna-lake-2")
    }

    @Test func `A renamed entry keeps its account; the name's next owner gets another`() throws {
        let world = try World.withDirectory()
        world.directory?.add("anna", "one", id: "1")
        #expect(user(try world.logIn("anna", "one")) == "anna")
        world.directory?.remove("1")
        world.directory?.add("marie", "one", id: "1")
        world.directory?.add("anna", "two", id: "2")
        #expect(user(try world.logIn("marie", "one", device: "tablet")) == "anna")
        #expect(user(try world.logIn("anna", "two", device: "tablet")) == "anna-2")
        #expect(try world.directoryAccount("anna")?.login == "marie")
    }
}
