import Contract
import Directory
import JSON
import Store
import TestSupport
import Testing
import Tracking
import WebAuthn

@testable import Bridge

/// Users who leave the organisation are logged out, and no one else.
struct LeaverTests {
    private static let day = Duration.seconds(86_400)
    private static let hour = Duration.seconds(3_600)

    private func world(
        _ users: String..., searches: Bool = true,
        _ change: (inout BridgeSettings) -> Void = { _ in }
    ) throws -> World {
        let world = try World.withDirectory(searches: searches, change)
        for user in users {
            world.directory?.add(user)
            #expect(try world.logIn(user, "of the university").outcome == "ok")
        }
        return world
    }

    private func isLoggedIn(_ world: World, _ user: Name = "anna") throws -> Bool {
        try !world.tokenHashes(of: user).isEmpty
    }

    /// Lets the time pass, then sweeps.
    private func wait(_ world: World, _ time: Duration) throws {
        world.sleep(time)
        try world.sweep()
    }

    @Test func `A present user is checked once a day and stays logged in`() throws {
        let world = try world("anna", "bob")
        try wait(world, Self.day - .seconds(1))
        #expect(world.directory?.checked == 0)
        try wait(world, .seconds(1))
        #expect(world.directory?.checked == 2)
        try wait(world, Self.hour)
        #expect(world.directory?.checked == 2)
        #expect(try isLoggedIn(world))
        #expect(world.engine.metrics["directory-checks"] == 2)
    }

    @Test func `A user missing twice in a row is logged out, but keeps their data`() throws {
        let world = try world("anna", "bob")
        world.directory?.remove("anna")
        try wait(world, Self.day)
        #expect(try isLoggedIn(world))
        try wait(world, Self.hour)
        #expect(try !isLoggedIn(world))
        #expect(try isLoggedIn(world, "bob"))
        #expect(world.engine.metrics["directory-gone"] == 1)
        #expect(try world.noticeKinds(of: "anna") == ["logged-out"])
        #expect(try world.count("users", where: "name = 'anna'") == 1)
        #expect(try world.logIn("anna", "of the university").outcome == "wrong-credentials")
        // Only what has changed is counted.
        try world.restart()
        try wait(world, Self.day)
        try wait(world, Self.hour)
        #expect(world.engine.metrics["directory-gone"] == 0)
        // A returning user gets the same account.
        world.directory?.add("anna")
        let back = try world.logIn("anna", "of the university")
        #expect(back["result"]?["user"]?.text == "anna")
        try wait(world, Self.day)
        #expect(try isLoggedIn(world))
    }

    @Test func `A user missing only once stays logged in`() throws {
        let world = try world("anna")
        for _ in 0..<5 {
            world.directory?.remove("anna")
            try wait(world, Self.day)
            world.directory?.add("anna")
            try wait(world, Self.hour)
        }
        #expect(try isLoggedIn(world))
        #expect(try world.directoryAccount("anna")?.missed == 0)
    }

    @Test func `A directory that does not answer logs no one out`() throws {
        let world = try world("anna")
        world.directory?.remove("anna")
        world.directory?.trouble = .baseMissing
        for _ in 0..<20 { try wait(world, Self.day) }
        #expect(try isLoggedIn(world))
        #expect(world.engine.metrics["directory-gone"] == 0)
        // It is queried again soon, and then believed.
        world.directory?.trouble = nil
        try wait(world, .seconds(300))
        try wait(world, Self.hour)
        #expect(try !isLoggedIn(world))
    }

    /// Protection is not withdrawn from a person in danger.
    @Test(arguments: [("sos.trigger", "sos.stop"), ("journey.start", "journey.stop")])
    func `A user on a journey or in an SOS is logged out soon after its end`(
        _ begin: String, _ end: String
    ) throws {
        let world = try world("anna")
        #expect(
            try world.operate(.createGroup(try DisplayName("Family"), firstMember: "anna")).first?
                .outcome == "ok")
        try world.fix("anna", TestFix(0))
        world.directory?.remove("anna")
        try wait(world, Self.day)
        let eta = (world.now + .seconds(5 * 86_400)).rfc3339
        let payload =
            begin == "sos.trigger"
            ? "{}"
            : #"{"destination":{"latitude":46,"longitude":14},"eta":"\#(eta)","groups":"all"}"#
        let reply = try world.ask("anna", begin, payload)
        #expect(reply.outcome == "ok", "\(reply)")
        for _ in 0..<30 { try wait(world, Self.hour) }
        #expect(try isLoggedIn(world))
        #expect(world.engine.metrics["directory-gone"] == 0)
        #expect(try world.outcome("anna", end) == "ok")
        try wait(world, .seconds(300))
        #expect(try !isLoggedIn(world))
        #expect(world.engine.metrics["directory-gone"] == 1)
    }

    /// A half-restored directory knows half of them.
    @Test func `A directory that misses most users is not believed`() throws {
        let world = try World.withDirectory()
        let users = (0..<10).map { "user\($0)" }
        for user in users {
            world.directory?.add(user)
            #expect(
                try world.logIn(user, "of the university", from: "mosq-\(user)").outcome == "ok")
        }
        for user in users.prefix(8) { world.directory?.remove(user) }
        try wait(world, Self.day)
        for _ in 0..<5 { try wait(world, Self.hour) }
        for user in users { #expect(try isLoggedIn(world, Name(user) ?? "anna"), "\(user)") }
        #expect((world.engine.metrics["directory-doubted"] ?? 0) >= 8)
        // Six of the eight are back; the other two have really left.
        for user in users.prefix(6) { world.directory?.add(user) }
        for _ in 0..<2 { try wait(world, Self.hour) }
        #expect(try isLoggedIn(world, "user0"))
        #expect(try !isLoggedIn(world, "user6"))
        #expect(try !isLoggedIn(world, "user7"))
    }

    @Test func `Directory checks per minute are limited`() throws {
        let world = try world("anna", "bob", "carol", "dave", "eve") { settings in
            settings.directory?.checksPerMinute = 2
        }
        for expected in [2, 4, 5, 5] {
            try wait(world, expected == 2 ? Self.day : .seconds(60))
            #expect(world.directory?.checked == expected)
        }
    }

    @Test func `A login postpones the next check by a day`() throws {
        let world = try world("anna")
        world.sleep(Self.day - Self.hour)
        try world.logIn("anna", "of the university")
        try wait(world, Self.day - Self.hour)
        #expect(world.directory?.checked == 0)
    }

    /// A late answer can be about a user who no longer exists.
    @Test func `An answer about a deleted account is ignored`() throws {
        let world = try world("anna", "bob")
        let directory = world.directory
        world.directory = nil
        try wait(world, Self.day)
        world.directory = directory
        #expect(try world.operate(.removeUser("anna")).first?.outcome == "ok")
        try world.askDirectory()
        #expect(try world.count("directory_accounts") == 1)
    }

    // MARK: Without searches

    @Test func `Without searches, users are logged out 30 days after their last login`() throws {
        let world = try world("anna", searches: false)
        try wait(world, Self.day * 30 - .seconds(1))
        #expect(try isLoggedIn(world))
        try wait(world, .seconds(1))
        #expect(try !isLoggedIn(world))
        #expect(world.directory?.checked == 0)
        #expect(try world.logIn("anna", "of the university").outcome == "ok")
        // Each login counts, on any device.
        world.sleep(Self.day * 20)
        try world.logIn("anna", "of the university", device: "watch")
        try wait(world, Self.day * 20)
        #expect(try world.tokenHashes(of: "anna").count == 2)
        try wait(world, Self.day * 10)
        #expect(try !isLoggedIn(world))
    }

    @Test func `An SOS postpones the logout after 30 days`() throws {
        let world = try world("anna", searches: false)
        #expect(
            try world.operate(.createGroup(try DisplayName("Family"), firstMember: "anna")).first?
                .outcome == "ok")
        try wait(world, Self.day * 29)
        #expect(try world.outcome("anna", "sos.trigger") == "ok")
        try wait(world, Self.day * 5)
        #expect(try isLoggedIn(world))
        #expect(try world.outcome("anna", "sos.stop") == "ok")
        try wait(world, .seconds(300))
        #expect(try !isLoggedIn(world))
    }

    // MARK: Other account data

    @Test func `Directory data is exported and deleted with the account`() throws {
        let world = try world("anna")
        var items = try world.ask("anna", "account.export")["result"]?["items"]?.elements ?? []
        items = items.filter { $0["type"]?.text == "directory" }
        #expect(items.map { $0["login"]?.text } == ["anna"])
        #expect(items.map { $0["entry"]?.text } == ["entryuuid=anna"])
        #expect(try world.operate(.removeUser("anna")).first?.outcome == "ok")
        #expect(try world.count("directory_accounts") == 0)
    }
}

extension LeaverTests {
    /// A passkey is as good as a token and does not bypass the organisation.
    @Test(arguments: [true, false])
    func `A passkey works as long as the organisation admits its owner`(_ searches: Bool) throws {
        let world = try World.withDirectory(searches: searches) { settings in
            settings.channels.page = World.party.origin
        }
        world.directory?.add("carol")
        try world.logIn("carol", "of the university")
        var key = try world.makeKey()
        #expect(
            try world.addPasskey(&key, password: "a wrong one").outcome == "wrong-credentials")
        #expect(try world.addPasskey(&key, password: "of the university").outcome == "ok")
        // One challenge per moment.
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "ok")
        if searches {
            world.directory?.remove("carol")
            for time in [86_400, 3_600] {
                world.sleep(.seconds(Int64(time)))
                try world.sweep()
            }
        } else {
            world.sleep(.seconds(30 * 86_400))
        }
        #expect(try world.logIn(by: &key).outcome == "wrong-credentials")
        if searches { world.directory?.add("carol") }
        #expect(try world.logIn("carol", "of the university").outcome == "ok")
        world.sleep(.seconds(1))
        #expect(try world.logIn(by: &key).outcome == "ok")
    }
}
