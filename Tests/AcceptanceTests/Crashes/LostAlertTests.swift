import GRDB
import TestBroker
import TestSupport
import Testing

/// An SOS is published even if something crashes at that very moment, and only once.
@Suite(.timeLimit(.minutes(Endurance.minutes)))
struct LostAlertTests {
    private static let rounds = Endurance.rounds

    @Test func `An SOS sent just before the bridge is killed arrives, under one id`()
        async throws
    {
        try await callForHelp { installation in
            await installation.crash()
            try await installation.start()
        }
    }

    @Test(.onPostgreSQL)
    func `An SOS sent just before the database's server leaves arrives, under one id`()
        async throws
    {
        let database = try TestDatabase()
        try await callForHelp(on: database) { _ in try database.breakConnection() }
        try await callForHelp(on: try TestDatabase()) { installation in
            await installation.crash()
            try await installation.start()
        }
    }

    /// Lets something break just after a call for help.
    private func callForHelp(
        on database: TestDatabase? = nil, breaking crash: (Installation) async throws -> Void
    ) async throws {
        try await withInstallation(on: database) { installation in
            let (group, watcher) = try await begin(installation)
            var moments = Moments()
            for round in 1...LostAlertTests.rounds {
                let known = ids(watcher)
                try await installation.publish(
                    Topic.device("ann") + "/requests/sos.trigger", #"{"id":"sos \#(round)"}"#)
                try await Task.sleep(for: moments.instant(within: 40))
                try await crash(installation)
                try await expectOneSOS(
                    installation, group, watcher, besides: known, seed: moments.seed)
            }
            try await expectAlerts(installation, group, watcher)
        }
    }

    /// What the broker confirmed in its last second may be lost, so the phone repeats the request
    /// until it is answered, and the SOS is repeated until a member has acknowledged it.
    @Test func `An SOS sent just before the broker is killed arrives, under one id`()
        async throws
    {
        try await withInstallation(["KITH_ESCALATION_REPEAT_AFTER": "1"]) { installation in
            let (group, watcher) = try await begin(installation)
            var moments = Moments()
            for round in 1...LostAlertTests.rounds {
                let known = ids(watcher)
                let request = #"{"id":"sos \#(round)"}"#
                try await installation.publish(
                    Topic.device("ann") + "/requests/sos.trigger", request)
                try await Task.sleep(for: moments.instant(within: 40))
                try await installation.crashBroker()
                try await watcher.ready()
                try await installation.done("ann", "sos.trigger", request)
                try await expectOneSOS(
                    installation, group, watcher, besides: known, seed: moments.seed)
            }
            try await expectAlerts(installation, group, watcher)
        }
    }

    @Test func `An alert decided while the broker is away is published although the bridge dies`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            // It is published before anyone else is admitted, and waits in the session.
            let watcher = try await installation.listen(
                ["-c", "-i", "ben.phone"], as: .device("ben"), to: Topic.alerts(group))
            // Including the session.
            try await installation.broker.save()
            try await installation.done(
                "ann", "journey.start",
                """
                {"groups":"all","eta":"\(time(in: 10))","destination":\
                {"latitude":47,"longitude":14.5}}
                """)
            await installation.broker.kill()
            let database = try installation.database()
            // For half a minute the broker might come back, with the evidence that she is online.
            _ = try await eventually("a decision", within: .seconds(90)) {
                try isLate(database) ? true : nil
            }
            await installation.crash()
            try await installation.startBroker()
            try await installation.start()
            try await watcher.hears("late", on: Topic.alerts(group)) { $0["kind"] == "late" }
        }
    }

    private func isLate(_ database: DatabaseQueue) throws -> Bool {
        try database.read { database in
            try Row.fetchOne(
                database, sql: "SELECT id FROM alerts WHERE document LIKE '%late%'") != nil
        }
    }

    /// - Returns: a group, and a subscriber whose session the broker keeps.
    private func begin(_ installation: Installation) async throws -> (String, Listener) {
        let group = try await installation.family("ann", "ben")
        try await installation.start()
        let watcher = try await installation.listen(
            ["-c", "-i", "ben.phone"], as: .device("ben"), to: Topic.alerts(group))
        return (group, watcher)
    }

    private func ids(_ watcher: Listener) -> Set<JSON> { Set(watcher.heard.map(\.json["id"])) }

    /// - Parameter known: earlier ids; a broker that was killed may send those again.
    private func expectOneSOS(
        _ installation: Installation, _ group: String, _ watcher: Listener,
        besides known: Set<JSON>,
        seed: UInt64
    ) async throws {
        let sos = try await watcher.hears("the SOS, seed \(seed)", on: Topic.alerts(group)) {
            $0["kind"] == "sos" && !known.contains($0["id"])
        }
        let id = try #require(sos.json["id"].text)
        try await installation.done(
            "ben", "alert.acknowledge", #"{"alert":"\#(id)","id":"\#(id)"}"#)
        try await installation.done("ann", "sos.stop", #"{"id":"end of \#(id)"}"#)
        let end = try await watcher.hears("its end, seed \(seed)", on: Topic.alerts(group)) {
            $0["kind"] == "sos-stopped" && !known.contains($0["id"])
        }
        #expect(
            ids(watcher).subtracting(known) == [sos.json["id"], end.json["id"]], "seed \(seed)")
    }

    /// Expects all alerts, each once.
    private func expectAlerts(_ installation: Installation, _ group: String, _ watcher: Listener)
        async throws
    {
        var stored: [JSON] = []
        var before = ""
        repeat {
            let answer = try await installation.done(
                "ben", "alert.list", #"{"group":"\#(group)"\#(before)}"#)
            let page = answer["alerts"].elements
            stored += page
            before = page.last?["id"].text.map { #","before":"\#($0)""# } ?? ""
        } while !before.isEmpty
        #expect(stored.count == 2 * LostAlertTests.rounds)
        #expect(Set(stored.map(\.["id"])) == ids(watcher))
    }
}
