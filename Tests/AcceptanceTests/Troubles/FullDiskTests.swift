import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

/// On a full disk the remaining room is for calls for help.
@Suite(
    .timeLimit(.minutes(4)), .enabled(if: getuid() == 0, "only root may make a small disk"))
struct FullDiskTests {
    /// The disk is filled up again while calls arrive, so that the reserve is also needed.
    @Test func `On a full disk a call for help reaches the group, and fixes wait`() async throws {
        let manager = try ServiceManager("@kith-test-\(getpid())-\(UInt32.random(in: 0 ... .max))")
        let settings = [
            "KITH_DISK_RESERVE": "\(SmallDisk.reserve)", "NOTIFY_SOCKET": manager.name,
            "WATCHDOG_USEC": "4000000",
        ]
        try await withSmallDisk(settings) { installation, disk in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            try await disk.hasReserve()
            let status = try await installation.listen(as: .operator, to: Topic.status)
            let alerts = Topic.alerts(group)
            let ben = try await installation.listen(as: .device("ben"), to: alerts)
            let phone = NumberedPhone(
                of: "ann", token: try await installation.token("ann"), at: installation.port,
                count: 1000)
            async let run: Void = phone.run()
            _ = try await eventually("some receipts") { await phone.receipted > 100 ? true : nil }
            let full = status.count
            try await disk.fill()
            let said = try await status.hears("degraded", on: Topic.status, since: full) {
                $0["status"] == "degraded" && $0["calls"] == true
            }
            #expect(said.json["reason"].text == "disk-full")
            let alive = manager.lines.count { $0 == "WATCHDOG=1" }
            // All of hers may have arrived before.
            let later = NumberedPhone(
                of: "ben", token: try await installation.token("ben"), at: installation.port,
                count: 50)
            async let laterRun: Void = later.run()
            for _ in 1...5 {
                try await disk.fill()
                let start = ben.count
                try await installation.done("ann", "sos.trigger")
                let alert = try await ben.hears("a call", on: alerts, since: start) {
                    $0["kind"] == "sos"
                }
                let id = try #require(alert.json["id"].text)
                try await installation.done(
                    "ben", "alert.acknowledge", #"{"alert":"\#(id)","kind":"coming"}"#)
                try await installation.done("ann", "sos.stop")
            }
            // Systemd would end a bridge that gives no more signs of life about now.
            _ = try await eventually("signs of life: \(manager.lines)") {
                manager.lines.count { $0 == "WATCHDOG=1" } >= alive + 6 ? true : nil
            }
            let refused = try await installation.ask(
                "ben", "chat.send", #"{"group":"\#(group)","text":"Hello"}"#)
            #expect(refused["problem"]["type"].text == "urn:kith:problem:disk-full")
            #expect(await later.receipted == 0)
            let mended = status.count
            try disk.empty()
            try await status.hears(
                "online", on: Topic.status, since: mended, within: .seconds(40)
            ) { $0["status"] == "online" }
            try await run
            try await laterRun
            let (fixes, calls) = try await installation.database().read { database in
                (
                    try Int.fetchAll(database, sql: "SELECT seq FROM fixes ORDER BY seq"),
                    try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM acknowledgements")
                )
            }
            let sent = Array(1...1000) + Array(1...50)
            #expect(fixes == sent.sorted(), "nothing lost, nothing twice")
            #expect(calls == 5)
            try await disk.hasReserve()
        }
    }

    /// Begins on a disk that is full, with a bridge that stores calls alone.
    private func becomesFull(_ installation: Installation, _ disk: SmallDisk) async throws {
        try await disk.hasReserve()
        let status = try await installation.listen(as: .operator, to: Topic.status)
        let start = status.count
        try await disk.fill()
        try await status.hears("degraded", on: Topic.status, since: start) {
            $0["status"] == "degraded" && $0["calls"] == true
        }
    }

    /// Ann calls, and Ben receives it.
    private func calls(_ installation: Installation, in group: String) async throws {
        let alerts = Topic.alerts(group)
        let ben = try await installation.listen(as: .device("ben"), to: alerts)
        let start = ben.count
        try await installation.done("ann", "sos.trigger")
        try await ben.hears("a call", on: alerts, since: start) { $0["kind"] == "sos" }
        try await installation.done("ann", "sos.stop")
    }

    /// The broker of `kith up` takes the place of the installation's own.
    ///
    /// - Parameter missing: of what `kith up` writes; nil: everything is as it was.
    @Test(arguments: [nil, "owner.lock", "mosquitto.conf"])
    func `kith up starts on a full disk and lets calls for help through`(_ missing: String?)
        async throws
    {
        try await withSmallDisk(["KITH_DISK_RESERVE": "\(SmallDisk.reserve)"]) {
            installation, disk in
            let group = try await installation.family("ann", "ben")
            for user in ["ann", "ben"] { _ = try await installation.token(user) }
            await installation.broker.kill()
            func start() async throws -> RunningProgram {
                let up = RunningProgram(
                    Program.kith,
                    [
                        "up", "--data", installation.directory, "--port", "\(installation.port)",
                        "--web-port", "0",
                    ], environment: installation.environment)
                let isConnected = try await eventually("a connected bridge: \(up.lines)") {
                    () -> Bool? in
                    if up.lines.contains(where: { $0.contains("Connected to the broker") }) {
                        return true
                    }
                    return up.ending == nil ? nil : false
                }
                try #require(isConnected, "it ended: \(up.lines)")
                return up
            }
            let first = try await start()
            try await disk.hasReserve()
            await first.end(SIGTERM)
            if let missing {
                try FileManager.default.removeItem(
                    atPath: "\(installation.directory)/broker/\(missing)")
            }
            try await disk.fill()
            let second = try await start()
            try await calls(installation, in: group)
            await second.end(SIGTERM)
        }
    }

    @Test func `On a full disk apps and watches can call for help, even after a broker restart`()
        async throws
    {
        try await withSmallDisk(["KITH_DISK_RESERVE": "\(SmallDisk.reserve)"]) {
            installation, disk in
            let group = try await installation.family("ann", "ben")
            try await installation.setUpOwnTracks("ann")
            for (user, device) in [("ann", "watch"), ("ben", "phone")] {
                _ = try await installation.token(user, device)
            }
            try await installation.start()
            try await installation.done("ann", "vitals.consent")
            try await installation.done("ann", "emergency.subscribe")
            try await becomesFull(installation, disk)

            // The broker's gate admits no one before the bridge has subscribed to all input.
            try await installation.crashBroker()
            try await calls(installation, in: group)

            let alerts = Topic.alerts(group)
            let ben = try await installation.listen(as: .device("ben"), to: alerts)
            var start = ben.count
            let seconds = Int(Date().timeIntervalSince1970)
            let location = #"{"_type":"location","lat":46.05,"lon":14.5,"tid":"nn","tst":"#
            try await installation.publish(
                "owntracks/ann/phone", location + "\(seconds - 9)}", ["-V", "mqttv311"])
            try await installation.publish(
                "owntracks/ann/phone", location + #"\#(seconds),"poi":"SOS"}"#,
                ["-V", "mqttv311"])
            try await ben.hears("a call by an app", on: alerts, since: start) {
                $0["kind"] == "sos"
            }
            try await installation.done("ann", "sos.stop")

            start = ben.count
            let topic = Topic.device("ann", "watch") + "/vitals"
            for number in 1...2 {
                let time = Int(Date().timeIntervalSince1970 * 1000)
                let values = #""heartRate":35,"oxygenSaturation":80,"respiratoryRate":6"#
                try await installation.publish(
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
                    ["-p", "\(installation.port)", "-V", "5", "-q", "1", "-W", "25", "-i", guest]
                        + ["-t", "kith/guests/\(guest)/requests/account.register"]
                        + ["-e", "kith/guests/\(guest)/replies", "-m", fields]))
            #expect(refused["problem"]["type"].text == "urn:kith:problem:disk-full")

            func stored(_ table: String) throws -> Int? {
                try installation.database().read { database in
                    try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM \(table)")
                }
            }
            #expect(try stored("vitals") == 0)
            #expect(try stored("fixes") == 1, "the call's")
            let calls = try stored("alerts")
            try disk.empty()
            _ = try await eventually("what has waited") { try stored("fixes") == 2 ? true : nil }
            try await Task.sleep(for: .seconds(1))
            #expect(try stored("alerts") == calls, "the call counts once")
        }
    }

    @Test func `Calls for help are served after a reboot with a full disk`() async throws {
        try await withSmallDisk(["KITH_DISK_RESERVE": "\(SmallDisk.reserve)"]) {
            installation, disk in
            let group = try await installation.family("ann", "ben")
            for user in ["ann", "ben"] { _ = try await installation.token(user) }
            try await installation.start()
            try await becomesFull(installation, disk)
            await installation.crash()
            await installation.broker.kill()
            // SQLite's shared-memory file has room on the disk only while it is in use.
            try FileManager.default.removeItem(atPath: disk.path + "/kith.db-shm")
            try await disk.fill()
            try await installation.startBroker()
            try await installation.start()
            try await calls(installation, in: group)
            let log = await installation.log
            #expect(log.contains { $0.contains("only calls for help") }, "\(log)")
        }
    }

    // MARK: Watching

    @Test func `A full disk is reported to monitors, and the page still accepts calls`()
        async throws
    {
        try await withSmallDisk([
            "KITH_DISK_RESERVE": "\(SmallDisk.reserve)",
            "KITH_DISK_WARN_BELOW": "\(2 * SmallDisk.reserve)",
        ]) { installation, disk in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let site = try await Site(installation)
            do {
                try await watch(installation, site, disk)
                await site.program.kill()
            } catch {
                await site.program.kill()
                throw error
            }
        }
    }

    private func watch(_ installation: Installation, _ site: Site, _ disk: SmallDisk) async throws {
        let token = try String(
            contentsOfFile: installation.directory + "/tokens/metrics", encoding: .utf8
        ).trimmed
        func sees(_ wanted: Set<String>) async throws {
            _ = try await eventually("\(wanted) in the metrics", within: .seconds(60)) {
                () -> Bool? in
                let answer = try await site.curl(
                    "/metrics", ["-H", "Authorization: Bearer \(token)"])
                let lines = Set(answer.body.split(separator: "\n").map(String.init))
                return lines.isSuperset(of: wanted) ? true : nil
            }
        }
        try await sees(["kith_up 1", "kith_disk_sparing 0"])
        try await disk.fill()
        let health = try await eventually("a word of the full disk") { () -> Site.Answer? in
            let answer = try await site.curl("/healthz")
            return answer.json["reason"].text == "disk-full" ? answer : nil
        }
        #expect(health.status == 503 && health.json["calls"] == true)
        try await sees([
            "kith_up 0", "kith_broker_up 1", "kith_bridge_up 1", "kith_disk_sparing 1",
            "kith_disk_low 1", #"kith_bridge_degraded{reason="disk-full"} 1"#,
        ])
        #expect(try await site.curl("/").status == 200)
        let call = try await site.ask(try await installation.token("ann"), "sos.trigger")
        #expect(call.status == 200, "\(call.body)")
        try await sees(["kith_calls_total 1"])
        try disk.empty()
        try await sees(["kith_up 1", "kith_bridge_up 1", "kith_disk_sparing 0"])
        #expect(try await site.curl("/healthz").status == 200)
    }
}
