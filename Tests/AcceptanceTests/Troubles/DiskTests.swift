import Foundation
import GRDB
import TestBroker
import TestJSON
import Testing

/// A disk that fills up while the bridge runs: the bridge reports it, acknowledges nothing, and
/// recovers by itself.
@Suite(.timeLimit(.minutes(4)))
struct DiskTests {
    private static let count = 1500
    private static let topic = "kith/system/status"

    /// Lets fixes flow, breaks something when some are stored, and repairs it a while after the
    /// bridge has reported the problem.
    private func flow(
        _ house: Installation, expecting reason: String,
        reconnecting times: ClosedRange<Int> = 1...1,
        break breaking: () async throws -> Void, mend: () async throws -> Void
    ) async throws {
        _ = try await house.family("ann", "ben")
        try await house.start()
        let status = try await house.listen(as: .operator, to: DiskTests.topic)
        let start = status.count
        let phone = NumberedPhone(
            of: "ann", token: try await house.token("ann"), at: house.port, count: DiskTests.count)
        async let run: Void = phone.run()
        _ = try await eventually("some receipts") { await phone.receipted > 300 ? true : nil }
        try await breaking()
        let said = try await status.hears("degraded", on: DiskTests.topic, since: start) {
            $0["status"] == "degraded"
        }
        #expect(said.json["reason"].text == reason)
        #expect(said.json["since"].text != nil && said.json["version"].text != nil)
        // What the bridge had said before may still be on its way.
        var receipted = await phone.receipted
        _ = try await eventually("no receipts") {
            try await Task.sleep(for: .seconds(1))
            let before = receipted
            receipted = await phone.receipted
            return receipted == before ? true : nil
        }
        try await Task.sleep(for: .seconds(2))
        #expect(await phone.receipted == receipted, "nothing is stored meanwhile")
        let (connections, complaints) = await counts(house)
        #expect(complaints == 1, "it is said once")
        let mended = status.count
        try await mend()
        try await status.hears(
            "online", on: DiskTests.topic, since: mended, within: .seconds(40)
        ) { $0["status"] == "online" }
        try await run
        let again = await counts(house).connections - connections
        #expect(times.contains(again), "it has connected again \(again) times")
        let numbers = try await house.database().read { database in
            try Int.fetchAll(database, sql: "SELECT seq FROM fixes ORDER BY taken_at_ms")
        }
        #expect(numbers == Array(1...DiskTests.count), "nothing lost, nothing twice")
    }

    private func counts(_ house: Installation) async -> (connections: Int, complaints: Int) {
        let log = await house.log
        return (
            log.count { $0.contains("Connected to the broker") },
            log.count { $0.contains("The database cannot be used") }
        )
    }

    /// Works as any user.
    @Test func `A limit on the size of files is lived through`() async throws {
        try await withInstallation { house in
            try await flow(house, expecting: "disk-error") {
                let log = house.directory + "/kith.db-wal"
                let size = try FileManager.default.attributesOfItem(atPath: log)[.size] as? Int
                try await limit(house, "\(try #require(size)):")
            } mend: {
                try await limit(house, "unlimited:")
            }
        }
    }

    private func limit(_ house: Installation, _ limit: String) async throws {
        let process = try #require(await house.processIdentifier)
        try await Program.succeed("prlimit", ["--pid", "\(process)", "--fsize=\(limit)"])
    }

    /// On a disk of 24 MiB; nothing where none can be made.
    private func onSmallDisk(
        _ settings: [String: String] = [:],
        _ body: (_ house: Installation, _ disk: String) async throws -> Void
    ) async throws {
        try await withInstallation(settings) { house in
            let disk = house.directory
            let mounted = try await Program.run(
                "mount", ["-t", "tmpfs", "-o", "size=24m,mode=700", "kith-test", disk])
            // Containers may not mount, even as root.
            guard mounted.status == 0 else {
                return print("Skipped: no small disk can be made here.")
            }
            do {
                try await body(house, disk)
                await house.end()
                try await Program.succeed("umount", ["--lazy", disk])
            } catch {
                await house.end()
                try await Program.succeed("umount", ["--lazy", disk])
                throw error
            }
        }
    }

    private func fill(_ disk: String) async throws {
        _ = try await Program.run(
            "dd", ["if=/dev/zero", "of=\(disk)/ballast-\(UUID())", "bs=4096"])
    }

    private func empty(_ disk: String) throws {
        for file in try FileManager.default.contentsOfDirectory(atPath: disk)
        where file.hasPrefix("ballast") {
            try FileManager.default.removeItem(atPath: "\(disk)/\(file)")
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root may make a small disk"))
    func `A full disk is lived through`() async throws {
        try await onSmallDisk { house, disk in
            try await flow(house, expecting: "disk-full") {
                try await fill(disk)
            } mend: {
                try empty(disk)
            }
        }
    }

    /// The disk is filled up again while calls come, so that the reserve is needed as well.
    @Test(.enabled(if: getuid() == 0, "only root may make a small disk"))
    func `On a full disk a call for help reaches the group, and fixes wait`() async throws {
        let manager = try ServiceManager("@kith-test-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        let settings = [
            "KITH_DISK_RESERVE": "2", "NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "4000000",
        ]
        try await onSmallDisk(settings) { house, disk in
            let group = try await house.family("ann", "ben")
            try await house.start()
            let reserve = disk + "/kith.db.reserve"
            func reserved() throws -> Int {
                try FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int ?? 0
            }
            _ = try await eventually("a reserve") { try? reserved() == 2 << 20 ? true : nil }
            let status = try await house.listen(as: .operator, to: DiskTests.topic)
            let alerts = "kith/groups/\(group)/alerts"
            let ben = try await house.listen(as: .device("ben"), to: alerts)
            let phone = NumberedPhone(
                of: "ann", token: try await house.token("ann"), at: house.port, count: 1000)
            async let run: Void = phone.run()
            _ = try await eventually("some receipts") { await phone.receipted > 100 ? true : nil }
            let full = status.count
            try await fill(disk)
            let said = try await status.hears("degraded", on: DiskTests.topic, since: full) {
                $0["status"] == "degraded" && $0["calls"] == true
            }
            #expect(said.json["reason"].text == "disk-full")
            let alive = manager.lines.count { $0 == "WATCHDOG=1" }
            // All of hers may have come before.
            let later = NumberedPhone(
                of: "ben", token: try await house.token("ben"), at: house.port, count: 50)
            async let laterRun: Void = later.run()
            for _ in 1...5 {
                try await fill(disk)
                let start = ben.count
                try await house.done("ann", "sos.trigger")
                let alert = try await ben.hears("a call", on: alerts, since: start) {
                    $0["kind"] == "sos"
                }
                let id = try #require(alert.json["id"].text)
                try await house.done(
                    "ben", "alert.acknowledge", #"{"alert":"\#(id)","kind":"coming"}"#)
                try await house.done("ann", "sos.stop")
            }
            // Systemd would end a bridge that gives no sign any more, just now.
            _ = try await eventually("signs of life: \(manager.lines)") {
                manager.lines.count { $0 == "WATCHDOG=1" } >= alive + 6 ? true : nil
            }
            let refused = try await house.ask(
                "ben", "chat.send", #"{"group":"\#(group)","text":"Hello"}"#)
            #expect(refused["problem"]["type"].text == "urn:kith:problem:disk-full")
            #expect(await later.receipted == 0)
            let mended = status.count
            try empty(disk)
            try await status.hears(
                "online", on: DiskTests.topic, since: mended, within: .seconds(40)
            ) { $0["status"] == "online" }
            try await run
            try await laterRun
            let (fixes, calls) = try await house.database().read { database in
                (
                    try Int.fetchAll(database, sql: "SELECT seq FROM fixes ORDER BY seq"),
                    try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM acknowledgements")
                )
            }
            let sent = Array(1...1000) + Array(1...50)
            #expect(fixes == sent.sorted(), "nothing lost, nothing twice")
            #expect(calls == 5)
            #expect(try reserved() == 2 << 20)
        }
    }

    /// Begins on a disk that is full, with a bridge that stores calls alone.
    private func becomesFull(_ house: Installation, _ disk: String) async throws {
        let reserve = disk + "/kith.db.reserve"
        _ = try await eventually("a reserve") {
            try? FileManager.default.attributesOfItem(atPath: reserve)[.size] as? Int == 2 << 20
                ? true : nil
        }
        let status = try await house.listen(as: .operator, to: DiskTests.topic)
        let start = status.count
        try await fill(disk)
        try await status.hears("degraded", on: DiskTests.topic, since: start) {
            $0["status"] == "degraded" && $0["calls"] == true
        }
    }

    /// Ann calls, and Ben hears it.
    private func calls(_ house: Installation, in group: String) async throws {
        let alerts = "kith/groups/\(group)/alerts"
        let ben = try await house.listen(as: .device("ben"), to: alerts)
        let start = ben.count
        try await house.done("ann", "sos.trigger")
        try await ben.hears("a call", on: alerts, since: start) { $0["kind"] == "sos" }
        try await house.done("ann", "sos.stop")
    }

    @Test(.enabled(if: getuid() == 0, "only root may make a small disk"))
    func `On a full disk apps and watches call for help, also after the broker was restarted`()
        async throws
    {
        try await onSmallDisk(["KITH_DISK_RESERVE": "2"]) { house, disk in
            let group = try await house.family("ann", "ben")
            try await house.setUpOwnTracks("ann")
            for (user, device) in [("ann", "watch"), ("ben", "phone")] {
                _ = try await house.token(user, device)
            }
            try await house.start()
            try await house.done("ann", "vitals.consent")
            try await house.done("ann", "emergency.subscribe")
            try await becomesFull(house, disk)

            // The broker's gate lets nobody in before the bridge hears everybody.
            try await house.crashBroker()
            try await calls(house, in: group)

            let alerts = "kith/groups/\(group)/alerts"
            let ben = try await house.listen(as: .device("ben"), to: alerts)
            var start = ben.count
            let seconds = Int(Date().timeIntervalSince1970)
            let location = #"{"_type":"location","lat":46.05,"lon":14.5,"tid":"nn","tst":"#
            try await house.publish(
                "owntracks/ann/phone", location + "\(seconds - 9)}", ["-V", "mqttv311"])
            try await house.publish(
                "owntracks/ann/phone", location + #"\#(seconds),"poi":"SOS"}"#,
                ["-V", "mqttv311"])
            try await ben.hears("a call by an app", on: alerts, since: start) {
                $0["kind"] == "sos"
            }
            try await house.done("ann", "sos.stop")

            start = ben.count
            let topic = "kith/users/ann/devices/watch/vitals"
            for number in 1...2 {
                let time = Int(Date().timeIntervalSince1970 * 1000)
                let values = #""heartRate":35,"oxygenSaturation":80,"respiratoryRate":6"#
                try await house.publish(
                    topic, #"{"timestamp":\#(time),\#(values),"seq":\#(number)}"#)
                try await Task.sleep(for: .seconds(1))
            }
            try await ben.hears("a call by a watch", on: alerts, since: start) {
                $0["kind"] == "in-need"
            }
            let guest = UUID().uuidString
            let fields =
                #"{"username":"dora","email":"dora@example.org","password":"correct horse","#
                + #""firstName":"Dora","lastName":"Day","acceptTerms":true}"#
            let refused = JSON(
                parsing: try await Program.succeed(
                    "mosquitto_rr",
                    ["-p", "\(house.port)", "-V", "5", "-q", "1", "-W", "25", "-i", guest]
                        + ["-t", "kith/guests/\(guest)/requests/account.register"]
                        + ["-e", "kith/guests/\(guest)/replies", "-m", fields]))
            #expect(refused["problem"]["type"].text == "urn:kith:problem:disk-full")

            func stored(_ table: String) throws -> Int? {
                try house.database().read { database in
                    try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)")
                }
            }
            #expect(try stored("vitals") == 0)
            #expect(try stored("fixes") == 1, "the call's")
            let calls = try stored("alerts")
            try empty(disk)
            _ = try await eventually("what has waited") { try stored("fixes") == 2 ? true : nil }
            try await Task.sleep(for: .seconds(1))
            #expect(try stored("alerts") == calls, "the call counts once")
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root may make a small disk"))
    func `After a restart of the machine with a full disk calls for help are served`() async throws
    {
        try await onSmallDisk(["KITH_DISK_RESERVE": "2"]) { house, disk in
            let group = try await house.family("ann", "ben")
            for user in ["ann", "ben"] { _ = try await house.token(user) }
            try await house.start()
            try await becomesFull(house, disk)
            await house.crash()
            await house.broker.kill()
            // What SQLite shares with readers has room on the disk only while somebody uses it.
            try FileManager.default.removeItem(atPath: disk + "/kith.db-shm")
            try await fill(disk)
            try await house.startBroker()
            try await house.start()
            try await calls(house, in: group)
            let log = await house.log
            #expect(log.contains { $0.contains("only calls for help") }, "\(log)")
        }
    }

    @Test func `A database that is moved away is waited for`() async throws {
        try await withInstallation { house in
            let (database, elsewhere) = (
                house.directory + "/kith.db", house.directory + "/away.db"
            )
            // The gate cuts it off if it comes back before the gate sees the file again.
            try await flow(house, expecting: "database-gone", reconnecting: 1...2) {
                try FileManager.default.moveItem(atPath: database, toPath: elsewhere)
            } mend: {
                try FileManager.default.moveItem(atPath: elsewhere, toPath: database)
            }
        }
    }

    /// Nothing comes from the broker either when the gate has noticed first.
    @Test func `A database that is moved away while the broker is away is told, too`() async throws
    {
        try await withInstallation { house in
            _ = try await house.family("ann")
            try await house.start()
            await house.broker.kill()
            let (database, elsewhere) = (
                house.directory + "/kith.db", house.directory + "/away.db"
            )
            try FileManager.default.moveItem(atPath: database, toPath: elsewhere)
            _ = try await eventually("a complaint") {
                await counts(house).complaints == 1 ? true : nil
            }
            try FileManager.default.moveItem(atPath: elsewhere, toPath: database)
            let connections = await counts(house).connections
            try await house.startBroker()
            _ = try await eventually("another connection") {
                await counts(house).connections > connections ? true : nil
            }
        }
    }

    @Test func `Where another database takes its place the bridge ends and says so`() async throws {
        try await withInstallation { house in
            _ = try await house.family("ann")
            try await house.start()
            let database = house.directory + "/kith.db"
            try await house.kith("backup", house.directory + "/other.db")
            _ = rename(house.directory + "/other.db", database)
            let ending = try await eventually("an end") { await house.ending }
            #expect(ending == "exited(1)")
            let complaints = await house.log.filter { $0.hasPrefix("kith: ") }
            #expect(complaints == ["kith: The database's file was replaced by another one."])
        }
    }
}
