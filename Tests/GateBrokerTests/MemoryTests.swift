import CMalloc
import Contract
import Foundation
import GRDB
import TestSupport
import Testing
import Tracking

@testable import Gate

/// Measures its own process: here, where nothing else runs beside it.
struct MemoryTests {
    /// A hundred thousand users in 20,000 groups are to fit into 200 MB; this is a tenth of them,
    /// each with a connection.
    @Test func `A connected user takes less than two kilobytes`() async throws {
        try await withTemporaryDirectory { directory in
            let town = try Town(in: directory)
            let (first, count) = (MemoryTests.first, MemoryTests.count)
            try MemoryTests.populate(
                town.path, users: first + count, groups: (first + count) / 5)
            let gatekeeper = Gatekeeper(GateSettings(), opening: town.opening)
            var now = Duration.seconds(1000)
            gatekeeper.tick(at: now)
            var before = 0
            var random = SplitMix64(seed: 1)
            let secret = TokenSecret(using: &random)
            for number in 1...first + count {
                if number == first + 1 { before = MemoryTests.allocatedBytes }
                let user = "user\(number)"
                guard let name = Name(user) else { throw Town.Missing() }
                let token = DeviceToken(user: name, device: "phone", secret: secret)
                now += .milliseconds(2)
                let introduction = Gatekeeper.Introduction(
                    clientID: "\(user).phone", username: user, password: token.text,
                    address: "10.0.0.1", isContinued: false, mayKeepNewSession: false)
                let client = Gatekeeper.Client(64 * number)
                #expect(gatekeeper.connect(introduction, as: client, at: now) == .allowed)
                _ = gatekeeper.takeOrders()
            }
            let taken = MemoryTests.allocatedBytes - before
            print("\(count) users take \(taken / 1_000_000) MB, \(taken / count) bytes each")
            #expect(gatekeeper.rights.count == first + count)
            #expect(taken / count < 2000)
        }
    }

    /// By then everything that is read once has been read, such as SQLite's cache.
    private static let first = 2_000
    private static let count = 10_000

    /// All with the same secret.
    private static func populate(_ path: String, users: Int, groups: Int) throws {
        var random = SplitMix64(seed: 1)
        let hash = Data(TokenSecret(using: &random).hash)
        let queue = try DatabaseQueue(path: path)
        try queue.write { database in
            for number in 1...groups {
                let key = GroupKey(using: &random)
                try database.execute(
                    sql: "INSERT INTO groups (id, key, name, created_at_ms) VALUES (?, ?, 'G', 0)",
                    arguments: [number, key.text])
            }
            for number in 1...users {
                try database.execute(
                    sql: """
                        INSERT INTO users (id, name, display_name, owntracks_publish_is,
                            created_at_ms) VALUES (?, ?, 'U', 'fix', 0)
                        """, arguments: [number, "user\(number)"])
                try database.execute(
                    sql: """
                        INSERT INTO devices (id, user_id, name, speaks, token_hash, created_at_ms)
                        VALUES (?, ?, 'phone', 'kith', ?, 0)
                        """, arguments: [number, number, hash])
                try database.execute(
                    sql: """
                        INSERT INTO memberships (group_id, user_id, joined_at_ms) VALUES (?, ?, 0)
                        """, arguments: [number % groups + 1, number])
            }
        }
        try queue.close()
    }

    /// Not what the kernel has given: that depends on what earlier tests have left.
    private static var allocatedBytes: Int {
        let memory = mallinfo2()
        return memory.uordblks + memory.hblkhd
    }
}
