import Foundation
import GRDB
import TestSupport
import Testing

/// A single message never keeps the bridge from processing other users' messages.
@Suite(.timeLimit(.minutes(2)))
struct PoisonTests {
    private let deep = String(repeating: "/x", count: 250)

    /// Expects that the user's call for help still reaches the group.
    private func expectSOS(of user: String, _ installation: Installation, _ group: String)
        async throws
    {
        let ann = try await installation.listen(
            as: .device("ann"), to: "kith/groups/\(group)/alerts")
        try await installation.done(user, "sos.trigger")
        try await ann.hears("the SOS", on: "kith/groups/\(group)/alerts") {
            $0["kind"].text == "sos" && $0["user"].text == user
        }
    }

    @Test func `A response topic too deep for the broker or large correlation data is refused`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben", "eve")
            try await installation.start()
            let device = Topic.device("eve")
            let eve = try await installation.listen(as: .device("eve"), to: "\(device)/replies/#")
            let large = String(repeating: "c", count: 60_000)
            try await installation.publish(
                "\(device)/requests/group.list", #"{"id":1}"#,
                ["-V", "5", "-D", "publish", "response-topic", "\(device)/replies\(deep)"])
            try await eve.hears("a refusal", on: "\(device)/replies") {
                $0["problem"]["type"].text == "urn:kith:problem:not-allowed"
            }
            try await installation.publish(
                "\(device)/requests/group.list", #"{"id":2}"#,
                ["-V", "5", "-D", "publish", "correlation-data", large])
            try await eve.hears("a refusal", on: "\(device)/replies") {
                $0["problem"]["type"].text == "urn:kith:problem:too-large"
            }
            try await installation.publish(
                "kith/guests/eve1/requests/account.register", "{}",
                [
                    "-i", "eve1", "-V", "5", "-D", "publish", "response-topic",
                    "kith/guests/eve1/replies\(deep)",
                ], as: .guest)
            try await expectSOS(of: "ben", installation, group)
            #expect(await installation.log.count { $0.contains("Connected to the broker") } == 1)
        }
    }

    /// `kith.db.turn` after an end while a message was processed alone: of an earlier version's
    /// length, and of a wrong one. The rest is arbitrary.
    @Test(arguments: [32, 5_000])
    func `A turn record of another length is read as far as it goes`(_ length: Int) async throws {
        let bytes = [2, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0xFF, count: length - 8)
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            await installation.crash()
            try Data(bytes).write(
                to: URL(fileURLWithPath: installation.directory + "/kith.db.turn"))
            try await installation.start()
            try await expectSOS(of: "ben", installation, group)
            try await expectSOS(of: "ann", installation, group)
        }
    }

    /// Such as one left by an earlier version, or one that no one thought of.
    @Test func `An outbox message over which the broker ends connections is set aside`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            await installation.crash()
            let reply = Topic.device("ann") + "/replies"
            try await DatabaseQueue(path: installation.directory + "/kith.db").write { database in
                for topic in [reply + deep, reply] {
                    try database.execute(
                        sql: "INSERT INTO outbox (topic, payload) VALUES (?, ?)",
                        arguments: [topic, Data(#"{"behind":true}"#.utf8)])
                }
            }
            let ann = try await installation.listen(as: .device("ann"), to: "\(reply)/#")
            try await installation.start()
            try await ann.hears("what is behind it", on: reply) { $0["behind"] == true }
            try await expectSOS(of: "ben", installation, group)
            _ = try await eventually("it is put aside") {
                await installation.log.contains { $0.contains("is put aside") } ? true : nil
            }
            try await expectSOS(of: "ann", installation, group)
        }
    }
}
