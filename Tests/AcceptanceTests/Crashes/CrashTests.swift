import GRDB
import TestBroker
import TestSupport
import Testing

/// Whatever is killed, and whenever: fixes with a receipt are stored once, and everyone sees the
/// same in the end.
///
/// `tools/measure endurance` runs these tests with more rounds.
@Suite(.timeLimit(.minutes(Endurance.minutes)))
struct CrashTests {
    private static let count = Endurance.rounds * 600

    @Test func `A killed bridge loses nothing and stores nothing twice`() async throws {
        try await flow { installation in
            await installation.crash()
            try await installation.start()
        }
    }

    @Test func `A killed broker loses nothing that is resent until there is a receipt`()
        async throws
    {
        try await flow { installation in try await installation.crashBroker() }
    }

    @Test func `A bridge and broker killed together lose nothing resent until the receipt`()
        async throws
    {
        try await flow { installation in
            await installation.crash()
            await installation.broker.kill()
            try await installation.startBroker()
            try await installation.start()
        }
    }

    /// Lets fixes flow while something breaks at random moments; then checks the result.
    private func flow(breaking crash: (Installation) async throws -> Void) async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let phone = NumberedPhone(
                of: "ann", token: try await installation.token("ann"), at: installation.port,
                count: CrashTests.count)
            async let run: Void = phone.run()
            var moments = Moments()
            for number in moments.spread(Endurance.rounds, over: CrashTests.count) {
                _ = try await eventually("the receipt for \(number)") {
                    await phone.receipted >= number ? true : nil
                }
                try await Task.sleep(for: moments.instant(within: 60))
                try await crash(installation)
            }
            try await run
            try expectEachOnce(in: installation, await phone.sent, seed: moments.seed)
            try await expectSameEverywhere(installation, group)
        }
    }

    private func expectEachOnce(in installation: Installation, _ sent: Int, seed: UInt64) throws {
        let database = try installation.database()
        let numbers = try database.read { database in
            try Int.fetchAll(database, sql: "SELECT seq FROM fixes ORDER BY taken_at_ms")
        }
        let lost = Set(1...CrashTests.count).subtracting(numbers).count
        let twice = numbers.count - Set(numbers).count
        print(
            "seed \(seed) sent \(sent) receipted \(CrashTests.count) stored \(numbers.count)",
            "lost \(lost) twice \(twice) reordered \(numbers == numbers.sorted() ? 0 : 1)")
        #expect(numbers == Array(1...CrashTests.count), "seed \(seed)")
    }

    /// Checks that the broker retains what the bridge replies.
    private func expectSameEverywhere(_ installation: Installation, _ group: String) async throws {
        let view = try await installation.listen(
            as: .device("ben"), to: "kith/groups/\(group)/members/+")
        let last = try await view.hears("the last fix", on: Topic.member(group, "ann")) {
            $0["fix"]["seq"].number == Double(CrashTests.count)
        }
        #expect(last.json["state"] == "active")
        // Ann's phone has used up its allowance.
        let answer = try await installation.done("ben", "members.get", #"{"group":"\#(group)"}"#)
        // Ben's presence is also retained, perhaps a moment later.
        _ = try await eventually("what is answered, retained: \(answer)") {
            let retained = ["ann", "ben"].compactMap { view.latest[Topic.member(group, $0)]?.json }
            return answer["members"].elements == retained ? true : nil
        }
    }
}
