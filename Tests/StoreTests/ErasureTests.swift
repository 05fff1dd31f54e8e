import TestSupport
import Testing
import Tracking

@testable import Store

struct ErasureTests {
    private func erase(_ file: TemporaryStore, _ user: UserID, _ logs: DeviceLog...)
        throws -> ErasureCounts
    {
        try file.run { try $0.eraseUser(user, devices: logs) }
    }

    private func step(_ file: TemporaryStore, _ limit: Int) throws -> Int {
        try file.run { transaction in
            try transaction.continueErasures(atMost: limit) { _, _ in { _ in false } }
        }
    }

    /// Two users' phones send in turn: odd numbers are the first one's.
    private func scene(_ count: Int) throws -> (
        file: TemporaryStore, users: [UserID], logs: [DeviceLog]
    ) {
        let file = try TemporaryStore()
        let people = try [file.addUser("alice"), file.addUser("bob")]
        var logs = people.map { DeviceLog(device: $0.device) }
        try file.run { transaction in
            for number in 1...count {
                let index = (number - 1) % 2
                let (fix, id) = (Fix.taken(Int64(number)), FixID(rawValue: Int64(number)))
                try transaction.insert(fix, as: id, of: logs[index].device, after: logs[index].last)
                if let chunk = logs[index].note(fix, as: id) { try transaction.insert(chunk) }
            }
        }
        return (file, people.map(\.user), logs)
    }

    @Test(arguments: [1, 2, 31, 62, 63, 64, 65, 66, 1000])
    func `Fixes are counted at once and deleted in steps`(_ count: Int) throws {
        let (file, users, logs) = try scene(count)
        #expect(try erase(file, users[0], logs[0]).fixes == (count + 1) / 2)
        #expect(try file.count("fixes") == Int64(count))
        let names = try file.run { try $0.users().map(\.name) }
        #expect(names == ["bob"])
        var steps: [Int] = []
        repeat { steps.append(try step(file, 100)) } while steps.last == 100
        // And the device, the user, and the search for mentions.
        #expect(steps.reduce(0, +) == (count + 1) / 2 + 3)
        #expect(try file.column("SELECT name FROM users") == ["bob"])
        #expect(steps.dropLast().allSatisfy { $0 == 100 })
        #expect(try file.count("erasures") == 0)
        #expect(try file.count("fixes") == Int64(count / 2))
        #expect(try file.count("fix_runs") == Int64(count / 64))
        #expect(try erase(file, users[1], logs[1]).fixes == count / 2)
        #expect(try step(file, 1000) == count / 2 + 3)
        #expect(try file.count("fixes") == 0)
        #expect(try file.count("fix_runs") == 0)
    }

    @Test func `Fixes already deleted by the retention are not counted`() throws {
        let (file, users, logs) = try scene(400)
        try file.run { _ = try $0.deleteFixes(receivedBefore: .noon + .seconds(101), atMost: 1000) }
        #expect(try file.count("fixes") == 300)
        #expect(try erase(file, users[0], logs[0]).fixes == 150)
        #expect(try step(file, 1000) == 150 + 3)
        #expect(try step(file, 1000) == 0)
        #expect(try file.count("erasures") == 0)
    }

    // MARK: Mentions of a user

    @Test(arguments: [1, 7, 19, 20, 21, 100, 1000])
    func `Replies to others are searched in batches, each once`(_ limit: Int) throws {
        let (file, users, logs) = try scene(1)
        try file.run { transaction in
            for number in 0..<100 {
                let payload = Array((number % 3 == 0 ? "alice" : "bob").utf8)
                try transaction.insertReply(
                    payload, to: "id:\(number) x", of: logs[1].device, at: .noon)
            }
        }
        _ = try erase(file, users[0], logs[0])
        var looked = 0
        var steps = 0
        while try file.count("mentions") > 0 {
            let before = try file.count("replies")
            _ = try file.run { transaction in
                try transaction.continueErasures(atMost: limit) { name, displayName in
                    #expect(name == "alice")
                    #expect(displayName == "alice")
                    return { payload in
                        looked += 1
                        return payload == Array("alice".utf8)
                    }
                }
            }
            #expect(try before - file.count("replies") <= Int64(limit))
            steps += 1
        }
        #expect(looked == 100)
        #expect(steps >= 100 / limit)
        #expect(try file.count("replies") == 66)
    }

    @Test func `A step examines only a few large replies`() throws {
        let (file, users, logs) = try scene(1)
        let payload = [UInt8](repeating: 1, count: 65_536)
        try file.run { transaction in
            for number in 0..<100 {
                try transaction.insertReply(payload, to: "\(number)", of: logs[1].device, at: .noon)
            }
        }
        _ = try erase(file, users[0], logs[0])
        var looked = 0
        _ = try file.run { transaction in
            try transaction.continueErasures(atMost: 1000) { _, _ in
                { _ in
                    looked += 1
                    return true
                }
            }
        }
        #expect(looked == 20)
    }

    @Test(arguments: [1, 3, 49, 50, 51, 500])
    func `Alerts are deleted with their acknowledgements, at most a limit at a time`(_ limit: Int)
        throws
    {
        let (file, users, _) = try scene(1)
        let group = try file.addGroup("a", users[1])
        try file.run { transaction in
            for number in 0..<120 {
                let alert = Alert.some(to: group, number: Int64(number))
                try transaction.insert(alert, of: users[number % 2])
                try transaction.acknowledge(alert.id, by: users[0], at: .noon)
                try transaction.acknowledge(alert.id, by: users[1], at: .noon)
            }
        }
        _ = try erase(file, users[0])
        func left() throws -> Int64 { try file.count("alerts") + file.count("acknowledgements") }
        var before = try left()
        #expect(before == 360)
        while try file.count("erased_users") > 0 {
            #expect(try step(file, limit) <= limit)
            #expect(try before - left() <= Int64(limit))
            before = try left()
        }
        #expect(try file.count("alerts") == 60)
        #expect(try file.count("acknowledgements") == 60)
    }

    @Test func `A broken chain is continued by the chunks`() throws {
        let (file, users, logs) = try scene(400)
        try file.execute("DELETE FROM fixes WHERE id = 193")
        _ = try erase(file, users[0], logs[0])
        while try step(file, 10) == 10 {}
        // A chunk has 32: fixes before the gap in its own chunk are not found.
        #expect(try file.count("fixes") - 200 < 32)
        #expect(try file.count("erasures") == 0)
    }

    @Test func `The number of an erased owner is not reused`() throws {
        let (file, users, logs) = try scene(100)
        _ = try erase(file, users[1], logs[1])
        _ = try step(file, 1000)
        #expect(try file.column("SELECT name FROM users") == ["alice"])
        let carol = try file.addUser("carol")
        #expect(carol.user.rawValue == 3 && carol.device.rawValue == 3)
        // Regardless of what wrote the rows: a database assembled by hand.
        try file.execute("UPDATE last_numbers SET number = 0")
        let dave = try file.addUser("dave")
        #expect(dave.user.rawValue == 4 && dave.device.rawValue == 4)
    }

    @Test func `Access changes are pruned, but their numbers are not reused`() throws {
        let (file, users, logs) = try scene(2)
        _ = try erase(file, users[0], logs[0])
        func last() throws -> Int64 {
            try file.run { try $0.lastAccessChange() }
        }
        let erased = try last()
        #expect(erased > 0)
        for _ in 1...2 {
            try file.run { transaction in
                while try transaction.pruneAccessChanges(through: erased, atMost: 1) > 0 {}
            }
            #expect(try file.column("SELECT principal FROM access_changes") == [""])
            #expect(try last() == erased + 1)
        }
        // A gate that had not read them sees the gap; one that had sees a change for no one.
        try file.run { transaction in
            #expect(try transaction.accessChanges(after: erased - 1) == nil)
            #expect(try transaction.accessChanges(after: erased)?.map(\.principal) == [""])
            try transaction.noteAccessChange(of: users[1])
        }
        #expect(try last() == erased + 2)
    }

    /// Deleted rows are overwritten, in the file and in reused pages.
    @Test(.onSQLite) func `The file keeps no byte of an erased user`() throws {
        let file = try TemporaryStore()
        let mail = "somebody-particular@example.org"
        let user = try file.run { transaction in
            // Enough pages that some become free.
            for number in 0..<500 {
                _ = try transaction.insertOutgoing(
                    topic: "t\(number)", payload: Array(mail.utf8), correlationData: nil)
            }
            return try transaction.insertUser(
                "somebody", displayName: mail, email: mail, ownTracksPublishIsSOS: false,
                at: .noon)
        }
        #expect(try file.occurrences(of: mail) > 500)
        try file.execute("DELETE FROM outbox")
        _ = try erase(file, user)
        #expect(try step(file, 1000) < 1000)
        #expect(try file.store.driver.emptyLog())
        #expect(try file.occurrences(of: mail) == 0)
        #expect(try file.occurrences(of: "SQLite format 3") == 1)
    }
}
