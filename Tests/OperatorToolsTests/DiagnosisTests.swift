import Contract
import JSON
import Store
import Testing
import Tracking

@testable import OperatorTools

/// What `kith doctor` reports about a condition.
struct DiagnosisTests {
    private static let now = Timestamp(milliseconds: 1_795_000_000_000)
    private static let day = Duration.seconds(86_400)

    /// An installation that phones reach, with nothing wrong.
    static var fine: Condition {
        let build = Condition.Build(version: "1.0", commit: "abc1234")
        var condition = Condition(
            now: now, program: build,
            directory: Condition.DataDirectory(
                path: "/var/lib/kith", isThere: true, owner: "kith", asker: "kith",
                isReadable: true, mode: 0o750, free: 50 << 30, total: 100 << 30),
            database: Condition.Database(
                bytes: 5 << 20, logBytes: 0, schema: 30, newestSchema: 30, accounts: 3, groups: 2,
                isWritable: true),
            bridge: Condition.Bridge(process: 7, since: now, build: build, user: "kith"),
            broker: Condition.Broker(
                address: "127.0.0.1:1883", isReachable: true, status: "online"),
            page: Condition.Page(
                address: "https://kith.example.org", isListening: true, isPublic: true),
            certificate: Condition.Certificate(
                names: ["kith.example.org"], endsAt: now + .seconds(60 * 86_400)),
            settings: Condition.Settings(
                registration: .invitation, sendsMail: true, warnBelow: 1 << 30, complaint: nil),
            machine: Condition.Machine(
                isClockSynchronised: true, mosquitto: "2.0.11", needsMosquitto: true,
                plugin: "/usr/lib/kith/libKithGate.so"),
            lastBackup: now - .seconds(86_400))
        condition.phonesName = "kith.example.org"
        return condition
    }

    private func names(_ change: (inout Condition) -> Void) -> [String] {
        var condition = DiagnosisTests.fine
        change(&condition)
        return Diagnosis(condition).troubles.map(\.name)
    }

    @Test func `A healthy condition reports nothing`() {
        #expect(names { _ in } == [])
        #expect(Diagnosis(DiagnosisTests.fine).isFine)
    }

    @Test func `A packaged doctor names the package's commands and units`() {
        var condition = DiagnosisTests.fine
        condition.isPackaged = true
        condition.broker.concerns = [.backupOld, .databaseDamaged]
        condition.broker.bridgeAnswers = false
        condition.bridge?.isReplaced = true
        func wayOut(_ name: String) -> String? {
            Diagnosis(condition).troubles.first { $0.name == name }?.wayOut
        }
        #expect(wayOut("backup-old")?.hasPrefix("run kithctl backup FILE") == true)
        #expect(wayOut("database-damaged")?.contains("kithctl restore") == true)
        #expect(wayOut("bridge-outdated") == "restart it (systemctl restart kith-bridge)")
        condition.bridge?.servesPage = true
        #expect(wayOut("bridge-outdated") == "restart it (systemctl restart kith)")
        #expect(wayOut("bridge-silent")?.hasSuffix("(journalctl -u kith)") == true)
        condition.bridge = nil
        #expect(wayOut("no-bridge")?.contains("(systemctl start kith, or kith-bridge)") == true)
        condition.isPackaged = false
        #expect(wayOut("no-bridge")?.contains("(kith up)") == true)
        #expect(wayOut("backup-old")?.hasPrefix("run kith backup FILE") == true)
    }

    @Test func `A locked database is reported with the process that locks it`() {
        var condition = DiagnosisTests.fine
        (condition.broker.status, condition.broker.reason) = ("degraded", "database-locked")
        condition.database?.writers = ["sqlite3 (4711)"]
        let trouble = Diagnosis(condition).troubles.first
        #expect(trouble?.wayOut.contains("end sqlite3 (4711)") == true)
        condition.database?.writers = []
        #expect(Diagnosis(condition).troubles.first?.wayOut.contains("sqlite3") == false)
    }

    @Test func `Each trouble is reported, and nothing else`() {
        let now = DiagnosisTests.now
        let cases: [(String, (inout Condition) -> Void)] = [
            ("no-data", { $0.directory.isThere = false }),
            (
                "no-database",
                {
                    $0.database = nil; $0.bridge = nil
                }
            ),
            ("database-missing", { $0.database = nil }),
            ("other-user", { $0.directory.isReadable = false }),
            ("directory-open", { $0.directory.mode = 0o755 }),
            ("files-open", { $0.directory.openFiles = ["tokens/bridge"] }),
            ("token-empty", { $0.directory.emptyFiles = ["tokens/bridge"] }),
            ("wrong-owner", { $0.directory.foreignFiles = ["kith.db-wal"] }),
            ("disk-low", { $0.directory.free = 9 << 30 }),
            ("disk-low", { ($0.directory.free, $0.directory.total) = (900 << 20, 2 << 30) }),
            ("schema-newer", { $0.database?.schema = 31 }),
            ("schema-older", { $0.database?.schema = 29 }),
            ("database-unreadable", { $0.database?.schema = nil }),
            ("log-growing", { $0.database?.logBytes = 257 << 20 }),
            ("database-read-only", { $0.database?.isWritable = false }),
            (
                "old-copy",
                {
                    $0.database?.copies = [
                        Condition.Database.Copy(
                            name: "kith.db.before-schema-30",
                            madeAt: now - .seconds(31 * 86_400))
                    ]
                }
            ),
            (
                "old-copy",
                {
                    $0.database?.copies = [
                        Condition.Database.Copy(
                            name: "kith.db.before-restore", madeAt: now - .seconds(31 * 86_400),
                            isFromRestore: true)
                    ]
                }
            ),
            ("no-bridge", { $0.bridge = nil }),
            ("bridge-outdated", { $0.bridge?.build?.commit = "older" }),
            ("bridge-outdated", { $0.bridge?.isReplaced = true }),
            ("bridge-user", { $0.bridge?.user = "root" }),
            ("no-broker", { $0.broker.isReachable = false }),
            ("degraded", { ($0.broker.status, $0.broker.reason) = ("degraded", "disk-full") }),
            (
                "work-left-out",
                {
                    ($0.broker.status, $0.broker.reason) = ("degraded", "work-left-out")
                    $0.broker.concerns = [.workLeftOut]
                }
            ),
            (
                "database-damaged",
                {
                    ($0.broker.status, $0.broker.reason) = ("degraded", "database-damaged")
                    $0.broker.concerns = [.databaseDamaged]
                }
            ),
            ("dispatch-absent", { $0.broker.concerns = [.dispatchAbsent] }),
            ("mosquitto-outdated", { $0.broker.isMosquittoReplaced = true }),
            ("plugin-unloadable", { $0.machine.pluginFault = "missing mosquitto_of_tomorrow" }),
            ("clock-behind", { $0.broker.concerns = [.clockBehind] }),
            ("map-unreadable", { $0.settings.faults = [.mapUnreadable: "The map is none"] }),
            ("page-taken", { $0.page.isOther = true }),
            (
                "disk-low",
                {
                    $0.broker.concerns = [.diskLow]
                    $0.directory.free = 1 << 20
                }
            ),
            ("bridge-offline", { $0.broker.status = "offline" }),
            ("port-closed", { $0.broker.closedPorts = [8883] }),
            ("plugin-outdated", { $0.broker.isPluginReplaced = true }),
            ("machine-differs", { $0.database?.foreign = ["tokens"] }),
            (
                "version-differs",
                {
                    $0.bridge?.isStandingBy = true
                    $0.database?.decider = Decider(
                        epoch: 1, name: "b 7", since: now, version: "0.9")
                }
            ),
            ("broker-silent", { $0.broker.isSilent = true }),
            ("broker-refuses", { ($0.broker.refusesOperator, $0.broker.status) = (true, nil) }),
            ("bridge-offline", { $0.broker.status = nil }),
            ("bridge-silent", { $0.broker.bridgeAnswers = false }),
            ("plugin-outdated", { $0.broker.otherGate = "0.9 (old)" }),
            (
                "plugin-outdated",
                {
                    $0.broker.otherGate = "0.9 (old)"
                    $0.broker.isPluginReplaced = true
                }
            ),
            ("name-unknown", { $0.isPhonesNameKnown = false }),
            ("certificate-name", { $0.certificate?.names = ["example.org", "*.kith.org"] }),
            ("certificate-key", { $0.certificate?.isKeyForeign = true }),
            ("certificate-not-loaded", { $0.certificate?.strangePorts = [8883] }),
            (
                "certificate-unreadable",
                {
                    $0.certificate = nil
                    $0.isCertificateUnreadable = true
                }
            ),
            ("no-page", { $0.page.isListening = false }),
            ("certificate-ending", { $0.certificate?.endsAt = now + .seconds(29 * 86_400) }),
            ("certificate-ended", { $0.certificate?.endsAt = now - .seconds(1) }),
            ("no-backup", { $0.lastBackup = nil }),
            (
                "backup-unknown",
                {
                    $0.lastBackup = nil
                    $0.isLastBackupUnreadable = true
                }
            ),
            ("backup-old", { $0.lastBackup = now - .seconds(8 * 86_400) }),
            ("configuration", { $0.settings.complaint = "The configuration cannot be used" }),
            ("no-mail", { $0.settings.sendsMail = false }),
            ("registration-open", { $0.settings.registration = .open }),
            ("clock", { $0.machine.isClockSynchronised = false }),
            ("mosquitto-version", { $0.machine.mosquitto = "1.6.9" }),
            ("no-mosquitto", { $0.machine.mosquitto = nil }),
            ("no-plugin", { $0.machine.plugin = nil }),
        ]
        for (name, change) in cases { #expect(names(change) == [name], "\(name)") }
    }

    @Test func `A user without access to the data gets only that report`() {
        var condition = DiagnosisTests.fine
        condition.directory.isReadable = false
        condition.directory.asker = "eve"
        (condition.bridge, condition.database, condition.lastBackup) = (nil, nil, nil)
        condition.broker.status = "unknown"
        condition.settings.sendsMail = false
        condition.certificate = nil
        condition.phonesName = nil
        #expect(Diagnosis(condition).troubles.map(\.name) == ["other-user"])
        let lines = condition.lines.joined(separator: "\n")
        #expect(lines.contains("not readable for eve"), "\(lines)")
        for guess in ["not running", "never", "no bridge"] { #expect(!lines.contains(guess)) }
    }

    @Test func `Advice leaves a condition healthy`() {
        for change: (inout Condition) -> Void in [
            { $0.settings.sendsMail = false }, { $0.settings.registration = .open },
            { $0.database?.schema = 29 },
        ] {
            var condition = DiagnosisTests.fine
            change(&condition)
            #expect(Diagnosis(condition).isFine)
            #expect(Diagnosis(condition).troubles.map(\.kind) == [.advice])
        }
    }

    @Test(arguments: [
        ("kith.example.org", ["kith.example.org"], true),
        ("KITH.example.org", ["kith.Example.org"], true),
        ("kith.example.org", ["*.example.org"], true),
        ("a.kith.example.org", ["*.example.org"], false),
        ("example.org", ["*.example.org"], false), ("192.168.1.7", ["home", "192.168.1.7"], true),
        ("kith", ["*"], false), ("kith", [], false),
    ])
    func `A certificate is valid for its names only`(
        _ name: String, _ names: [String], _ isFor: Bool
    ) {
        let certificate = Condition.Certificate(names: names, endsAt: DiagnosisTests.now)
        #expect(certificate.isFor(name) == isFor)
    }

    @Test func `A text's first certificate is compared, however its lines are wrapped`() {
        let one = "depth=0\n-----BEGIN CERTIFICATE-----\nQUJD\nREVG\n-----END CERTIFICATE-----\n"
        let other = "-----BEGIN CERTIFICATE-----\r\nQUJDREVG\r\n-----END CERTIFICATE-----\nmore"
        #expect(Condition.Certificate.first(in: one) == "QUJDREVG")
        #expect(Condition.Certificate.first(in: other) == "QUJDREVG")
        #expect(Condition.Certificate.first(in: "no peer certificate available") == nil)
    }

    @Test func `An internal page may be open, and a remote bridge needs no local Mosquitto`() {
        #expect(
            names {
                $0.settings.registration = .open
                $0.page.isPublic = false
            } == [])
        #expect(
            names {
                $0.machine.needsMosquitto = false
                $0.machine.mosquitto = nil
                $0.machine.plugin = nil
                $0.machine.isClockSynchronised = nil
            } == [])
    }

    @Test func `A line has the trouble, the remedy and at most five names`() {
        var condition = DiagnosisTests.fine
        condition.directory.openFiles = (1...7).map { "tokens/\($0)" }
        #expect(
            Diagnosis(condition).troubles.map(\.line) == [
                "Everyone can read tokens/1, tokens/2, tokens/3, tokens/4, tokens/5 and 2 more: "
                    + "chmod o-rwx these files in /var/lib/kith"
            ])
    }

    @Test func `A full disk's report states whether calls for help are still stored`() {
        func line(_ storesCalls: Bool) -> String? {
            var condition = DiagnosisTests.fine
            (condition.broker.status, condition.broker.reason) = ("degraded", "disk-full")
            condition.broker.storesCalls = storesCalls
            return Diagnosis(condition).troubles.map(\.line).first
        }
        #expect(line(true)?.hasPrefix("The bridge stores only calls for help (disk-full)") == true)
        #expect(line(false)?.hasPrefix("The bridge cannot store anything (disk-full)") == true)
    }

    @Test func `JSON output has null for unknown values`() throws {
        func object(_ condition: Condition) throws -> JSONValue {
            try JSONValue.parse(JSONWriter.object { condition.write(to: &$0) })
        }
        let fine = try object(DiagnosisTests.fine)
        #expect(fine["bridge"]?["running"] == .bool(true))
        #expect(fine["bridge"]?["build"]?["commit"]?.text == "abc1234")
        #expect(fine["database"]?["accounts"]?.integer == 3)
        #expect(fine["registration"]?.text == "invitation")
        var bare = DiagnosisTests.fine
        (bare.bridge, bare.database, bare.certificate, bare.lastBackup) = (nil, nil, nil, nil)
        let nothing = try object(bare)
        #expect(nothing["bridge"]?["running"] == .bool(false))
        for key in ["database", "certificate", "lastBackup"] { #expect(nothing[key] == .null) }
    }
}
