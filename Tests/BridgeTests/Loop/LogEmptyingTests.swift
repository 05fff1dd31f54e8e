import Contract
import Foundation
import Logging
import Store
import TestSupport
import Testing
import Tracking

@testable import Bridge

/// Deleted data also leaves the write-ahead log.
struct LogEmptyingTests {
    private final class Lines: LogHandler, @unchecked Sendable {
        var count = 0
        var metadata = Logger.Metadata()
        var logLevel = Logger.Level.info
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }
        func log(event: LogEvent) { count += 1 }
    }

    /// Checks in rounds of a tenth of a second; `isPossible` states whether the log can be emptied.
    private final class Rounds {
        var emptying = LogEmptying()
        let lines = Lines()
        private(set) var attempts: [Int64] = []
        private(set) var now = Duration.zero

        func pass(_ seconds: Int64, deleting: Bool = false, isPossible: Bool = true) {
            let logger = Logger(label: "log", factory: { [lines] _ in lines })
            var hasDeleted = deleting
            let end = now + .seconds(seconds)
            while now < end {
                emptying.look(at: now, hasDeleted: hasDeleted, logger) {
                    attempts.append(now.milliseconds)
                    return isPossible
                }
                hasDeleted = false
                now += .milliseconds(100)
            }
        }

        func takeAttempts() -> [Int64] {
            defer { attempts = [] }
            return attempts
        }
    }

    @Test func `The log is emptied at the start, once an hour, and after a deletion`() {
        let rounds = Rounds()
        rounds.pass(3_601)
        #expect(rounds.takeAttempts() == [0, 3_600_000])
        rounds.pass(60)
        #expect(rounds.takeAttempts() == [])
        rounds.pass(60, deleting: true)
        #expect(rounds.takeAttempts() == [3_661_000])
        // Repeated once the messages are gone that the broker had yet to save.
        rounds.pass(300)
        #expect(rounds.takeAttempts() == [3_841_000])
    }

    @Test func `Many deletions empty the log at most once in ten seconds`() {
        let rounds = Rounds()
        rounds.pass(1)
        _ = rounds.takeAttempts()
        for _ in 0..<60 { rounds.pass(1, deleting: true) }
        #expect(rounds.takeAttempts().count == 6)
    }

    @Test func `A reader that blocks the emptying causes retries and is logged once`() {
        let rounds = Rounds()
        rounds.pass(1_500, deleting: true, isPossible: false)
        let attempts = rounds.takeAttempts()
        #expect(attempts.count > 150 && attempts.count < 180)
        #expect(rounds.lines.count == 1)
        rounds.pass(11)
        #expect(rounds.takeAttempts().count == 1)
    }

    /// How often the text is in the database and in the files beside it.
    private func occurrences(of text: String, _ world: World) throws -> [String: Int] {
        let directory = (world.database.path as NSString).deletingLastPathComponent
        var found: [String: Int] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: directory) {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: "\(directory)/\(name)"))
            var (count, rest) = (0, bytes[...])
            while let next = rest.range(of: Data(text.utf8)) {
                count += 1
                rest = rest[next.upperBound...]
            }
            if count > 0 { found[name] = count }
        }
        return found
    }

    @Test(.onSQLite) func `No file contains anything of an erased account a moment later`() throws {
        let world = try World.withFamily()
        let canary = "canary-7f3a"
        for number in 0..<20 {
            try world.ask(
                "alice", "chat.send", #"{"group":"$family","text":"\#(canary) \#(number)"}"#)
            world.sleep(.seconds(1))
        }
        _ = try world.ask("alice", "observer.create", #"{"group":"$family","name":"\#(canary)"}"#)
        _ = try world.ask("alice", "account.update", #"{"firstName":"\#(canary)"}"#)
        _ = world.engine.takeDeletion()
        #expect(try occurrences(of: canary, world).values.reduce(0, +) >= 20)
        try world.operate(.removeUser("alice"))
        try world.pass(.seconds(5))
        // Its messages have been confirmed.
        try world.turn()
        #expect(world.engine.takeDeletion())
        #expect(try !occurrences(of: canary, world).isEmpty)
        for _ in 0..<5_000 where !world.engine.emptyLogInSteps() {
            Thread.sleep(forTimeInterval: 0.002)
        }
        #expect(try occurrences(of: canary, world) == [:])
    }

    @Test(
        arguments: [
            (
                "data.delete",
                #"{"what":"positions","from":"2026-01-01T00:00:00Z","to":"2027-01-01T00:00:00Z"}"#
            ),
            (
                "data.delete",
                #"{"what":"vitals","from":"2026-01-01T00:00:00Z","to":"2027-01-01T00:00:00Z"}"#
            ),
            ("vitals.withdraw", "{}"), ("location.off", "{}"),
            ("import.delete", #"{"source":"Watch"}"#),
        ])
    func `A deletion requests that the log be emptied`(_ method: String, _ fields: String) throws {
        let world = try World.withFamily()
        try world.ask("alice", "vitals.consent")
        try world.fix("alice", TestFix(1))
        try world.vitals("alice", rate: 72)
        try world.ask(
            "alice", "import.add",
            #"{"source":"Watch","positions":[{"latitude":1,"longitude":2,"timestamp":3}]}"#)
        try world.pass(.seconds(1))
        #expect(!world.engine.takeDeletion())
        #expect(try world.ask("alice", method, fields).outcome == "ok")
        try world.pass(.seconds(1))
        #expect(world.engine.takeDeletion())
    }
}
