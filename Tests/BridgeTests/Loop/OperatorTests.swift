import Contract
import Glibc
import JSON
import OperatorTools
import TestSupport
import Testing

@testable import Bridge

/// The operator's commands without a running bridge.
struct OperatorTests {
    private let tokenHash = [UInt8](0..<32)

    private func add(_ user: Name, _ email: String? = nil) -> OperatorCommand {
        .addUser(user, displayName: "A", email: email, ownTracksPublishIsSOS: false)
    }

    @Test func `Commands are executed, and their results are listed`() async throws {
        let database = try TemporaryDatabase()
        let commands = Operator(databasePath: database.path, database.settings, mayBegin: true)
        _ = try await commands.perform(add("alice"))
        _ = try await commands.perform(add("bob"))
        _ = try await commands.perform(
            .setToken(user: "bob", device: "phone", hash: tokenHash, speaksOwnTracks: true))
        let group = try await commands.perform(
            .createGroup(try DisplayName("Family"), firstMember: "bob"))
        let key = try #require(group["group"]?.text.flatMap { GroupKey($0) })
        _ = try await commands.perform(.addMember(key, "alice"))
        let listing = try DirectoryListing(database.address)
        #expect(listing.users.map(\.name) == ["alice", "bob"])
        #expect(listing.users.map { $0.devices.map(\.name) } == [[], ["phone"]])
        #expect(listing.groups.map(\.key) == [key.text])
        #expect(listing.groups.map(\.members) == [["bob", "alice"]])
        _ = try await commands.perform(.removeMember(key, "bob"))
        _ = try await commands.perform(.removeUser("alice"))
        let after = try DirectoryListing(database.address)
        #expect(after.users.map(\.name) == ["bob"])
        #expect(after.groups.isEmpty)
    }

    @Test func `A refused command states its reason as a sentence`() async throws {
        let database = try TemporaryDatabase()
        let commands = Operator(databasePath: database.path, database.settings, mayBegin: true)
        _ = try await commands.perform(add("alice", "a@example.org"))
        let key = try #require(GroupKey(GroupNames.unknown))
        let cases: [(OperatorCommand, String)] = [
            (
                add("alice", "A@example.org"),
                "Some fields are not valid: user is taken; email is taken."
            ),
            (.removeUser("bob"), "There is no user with that name."),
            (.addMember(key, "alice"), "There is no group with that id."),
            (
                .setToken(user: "bob", device: "phone", hash: tokenHash, speaksOwnTracks: false),
                "There is no user with that name."
            ),
        ]
        for (command, sentence) in cases {
            await #expect("\(command)") {
                try await commands.perform(command)
            } throws: { error in
                "\(error)" == sentence
            }
        }
    }

    @Test func `A group is created with all its members or not at all`() async throws {
        let database = try TemporaryDatabase()
        let commands = Operator(databasePath: database.path, database.settings, mayBegin: true)
        let users = try (0..<50).map { try #require(Name("user\($0)")) }
        for user in users { _ = try await commands.perform(add(user)) }
        let name = try DisplayName("Club")
        await #expect {
            try await commands.perform(.createGroup(name, members: users + ["tom", "zoe"]))
        } throws: { error in
            "\(error)" == "There are no users with these names: tom, zoe."
        }
        let before = try DirectoryListing(database.address)
        #expect(before.groups.isEmpty)
        _ = try await commands.perform(.createGroup(name, members: users))
        let after = try DirectoryListing(database.address)
        #expect(after.groups.map(\.members) == [users.map(\.text)])
    }

    @Test func `A group that would be too large is not created`() throws {
        let world = try World()
        let names = try (0...BridgeSettings.maximumMembers).map { try #require(Name("u\($0)")) }
        try world.operate(names.map { add($0) })
        let before = try world.count("memberships")
        let reply = try world.operate(.createGroup(try DisplayName("All"), members: names))
        #expect(reply[0]["problem"] != nil)
        #expect(try world.count("memberships") == before && world.count("groups") == 0)
    }

    @Test func `A database admits one bridge at a time`() throws {
        let database = try TemporaryDatabase()
        let lock = try BridgeLock(besides: database.path)
        #expect(lock != nil)
        #expect(try BridgeLock(besides: database.path) == nil)
        withExtendedLifetime(lock) {}
        #expect(throws: BridgeError.self) { try BridgeLock(besides: "/nonexistent/kith") }
    }

    @Test func `A removed lock file does not admit a second bridge`() throws {
        let database = try TemporaryDatabase()
        let lock = try BridgeLock(besides: database.path)
        #expect(unlink(database.path + ".lock") == 0)
        #expect(try BridgeLock(besides: database.path) == nil)
        withExtendedLifetime(lock) {}
    }

    @Test func `The lock ends with its owner`() throws {
        let database = try TemporaryDatabase()
        for _ in 1...3 { #expect(try BridgeLock(besides: database.path) != nil) }
    }

    @Test(.onSQLite) func `Only adding a user creates a new database`() async throws {
        let database = try TemporaryDatabase()
        let commands = Operator(databasePath: database.path, database.settings)
        let key = try #require(GroupKey(GroupNames.unknown))
        let others: [OperatorCommand] = [
            .removeUser("alice"),
            .setToken(user: "alice", device: "phone", hash: tokenHash, speaksOwnTracks: false),
            .createGroup(try DisplayName("Family"), firstMember: "alice"),
            .addMember(key, "alice"), .removeMember(key, "alice"), add("alice"),
        ]
        for command in others {
            await #expect("\(command)") {
                try await commands.perform(command)
            } throws: { error in
                "\(error)".hasPrefix("There is no Kith data in ")
            }
        }
        #expect(throws: BridgeError.self) { try DirectoryListing(database.address) }
        #expect(access(database.path, F_OK) != 0)
        _ = try await Operator(
            databasePath: database.path, BridgeSettings(), mayBegin: true
        ).perform(add("alice"))
        #expect(access(database.path, F_OK) == 0)
    }
}
