import Foundation
import GRDB
import TestBroker
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct UpTests {
    @Test func `kith up starts all parts, which end with it`() async throws {
        try await withTemporaryDirectory { directory in
            let port = try reservePort()
            let up = try await start(directory, port)
            let token = try String(contentsOfFile: directory + "/tokens/operator", encoding: .utf8)
            let status = try await Program.succeed(
                "mosquitto_sub",
                [
                    "-p", "\(port)", "-u", "kith:operator", "-P", token.trimmed,
                    "-t", "kith/system/status", "-C", "1", "-W", "20",
                ])
            #expect(JSON(parsing: status)["status"] == "online")
            let mosquitto = try mosquitto(of: up)

            let added = try await Program.succeed(
                Program.kith, ["user", "add", "ann", "--data", directory])
            #expect(added == "Added ann.")

            await up.end(SIGTERM)
            #expect(up.ending == "exited(0)", "\(up.lines)")
            #expect(!isAlive(mosquitto))
            try expectWhole(directory)
        }
    }

    /// Checks that the database file is complete when copied without its log.
    private func expectWhole(_ directory: String) throws {
        for suffix in ["-wal", "-shm"] {
            #expect(!FileManager.default.fileExists(atPath: directory + "/kith.db" + suffix))
        }
        try FileManager.default.copyItem(
            atPath: directory + "/kith.db", toPath: directory + "/copy.db")
        let users = try DatabaseQueue(path: directory + "/copy.db").read {
            try String.fetchAll($0, sql: "SELECT name FROM users")
        }
        #expect(users == ["ann"])
    }

    @Test func `SIGHUP without a new certificate leaves the broker, and the page names its port`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let port = try reservePort()
            let up = try await start(directory, port)
            let before = try mosquitto(of: up)
            try Data("retention:\n  fixes: 30\n".utf8).write(
                to: URL(fileURLWithPath: directory + "/kith.yaml"))
            kill(try #require(up.processIdentifier), SIGHUP)
            _ = try await eventually("a reload: \(up.lines)") {
                up.lines.contains { $0.contains("The settings were reloaded") } ? true : nil
            }
            #expect(isAlive(before))
            #expect(!up.lines.contains { $0.contains("mosquitto is restarted") })
            #expect(try mosquitto(of: up) == before)

            let page = try await self.page(of: up)
            let config = try await Program.succeed("curl", ["-s", "\(page)config.json"])
            #expect(JSON(parsing: config)["broker"]["port"].number == Double(port))
            #expect(JSON(parsing: config)["root"] == "kith")
            await up.end(SIGTERM)
            #expect(up.ending == "exited(0)", "\(up.lines)")
        }
    }

    @Test func `kith up in a terminal's background asks nothing and is not stopped`() async throws {
        try await withTemporaryDirectory { directory in
            let up = "'\(Program.kith)' up --data \(directory)/data --web-port 0"
            let script = """
                set -m
                \(up) --port \(try reservePort()) &
                for turn in $(seq 150); do
                    '\(Program.kith)' status --data \(directory)/data >/dev/null 2>&1 && break
                    sleep 0.2
                done
                '\(Program.kith)' status --data \(directory)/data
                kill -CONT -- -$!; kill $!; wait $!
                """
            try script.write(
                toFile: directory + "/script", atomically: true, encoding: .utf8)
            let ending = try await Program.run(
                "script", ["-qec", "bash \(directory)/script", "/dev/null"])
            #expect(ending.output.contains("the bridge is online"), "\(ending)")
            #expect(!ending.output.contains("Show the tiles of"), "\(ending)")
        }
    }

    @Test func `A link and a configuration are for this machine while only it is admitted`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let port = try reservePort()
            let web = try reservePort()
            let up = try await start(directory, port, web: web)
            _ = try await Program.succeed(
                Program.kith, ["user", "add", "ann", "--data", directory])
            // A link that works on no other machine is not given out by default.
            for words in [["invite", "ann"], ["token", "ann", "phone", "--owntracks"]] {
                let ending = try await Program.run(
                    Program.kith, ["user"] + words + ["--data", directory])
                #expect(ending.status == 1 && ending.output.isEmpty, "\(ending)")
                #expect(ending.errors.contains("--for-phones"))
                #expect(!ending.errors.contains("127.0.0.1") || words[0] == "invite")
            }
            let here = "http://127.0.0.1:\(web)"
            let link = try await Program.succeed(
                Program.kith, ["user", "invite", "ann", "--page", here, "--data", directory])
            #expect(link.hasPrefix("\(here)/#/recover/"))
            let text = try await Program.succeed(
                Program.kith,
                [
                    "user", "token", "ann", "phone", "--owntracks", "--host", "127.0.0.1", "--data",
                    directory,
                ])
            #expect(JSON(parsing: text)["host"] == "127.0.0.1")
            #expect(JSON(parsing: text)["port"].number == Double(port))
            // A page behind a proxy has another address for users.
            let unknown = try await Program.run(
                Program.kith, ["user", "invite", "ann", "--data", directory],
                environment: ["KITH_WEB_BEHIND_PROXY": "true"])
            #expect(unknown.status == 1 && unknown.errors.contains("web.origin"), "\(unknown)")
            await up.end(SIGTERM)
        }
    }

    @Test func `The operator can read how much the broker has dropped`() async throws {
        try await withTemporaryDirectory { directory in
            let port = try reservePort()
            let up = try await start(directory, port)
            let token = try String(contentsOfFile: directory + "/tokens/operator", encoding: .utf8)
            let dropped = try await Program.succeed(
                "mosquitto_sub",
                [
                    "-p", "\(port)", "-u", "kith:operator", "-P", token.trimmed,
                    "-t", "$SYS/broker/publish/messages/dropped", "-C", "1", "-W", "20",
                ])
            #expect(Int(dropped) != nil)
            await up.end(SIGTERM)
        }
    }

    @Test func `The demo does not take the names of existing users`() async throws {
        try await withTemporaryDirectory { directory in
            try Program.beginData(directory)
            _ = try await Program.succeed(
                Program.kith, ["user", "add", "dan", "--data", directory])
            let ending = try await Program.run(
                Program.kith,
                [
                    "up", "--demo", "--data", directory, "--web-port", "0",
                    "--port", "\(try reservePort())",
                ])
            #expect(ending.status == 1)
            let complaint = ending.complaints.last ?? ""
            #expect(complaint.hasPrefix("kith: There is already a user dan here"), "\(ending)")
        }
    }

    @Test func `A taken port is reported in one sentence`() async throws {
        try await withBroker { broker in
            try await withTemporaryDirectory { directory in
                let ending = try await Program.run(
                    Program.kith,
                    [
                        "up", "--data", directory, "--port", "\(broker.port)", "--web-port", "0",
                    ])
                #expect(ending.status == 1)
                let complaints = ending.complaints.filter { $0.hasPrefix("kith: ") }
                #expect(complaints.count == 1 && ending.complaints.last == complaints.first)
                #expect(complaints.first?.hasPrefix("kith: Port \(broker.port) is taken") == true)
            }
        }
    }

    @Test func `All taken ports are reported before anything is started`() async throws {
        try await withBroker { broker in
            try await withTemporaryDirectory { directory in
                let data = directory + "/data"
                let ending = try await Program.run(
                    Program.kith,
                    [
                        "up", "--data", data, "--port", "\(broker.port)", "--web-port",
                        "\(broker.port)",
                    ])
                #expect(ending.status == 1)
                #expect(ending.complaints.count == 2, "\(ending)")
                #expect(ending.errors.contains("for the broker with --port, or broker.port"))
                #expect(ending.errors.contains("--web-port, or web.port"))
                #expect(!ending.output.contains("The page is at"))
                #expect(!FileManager.default.fileExists(atPath: data))
            }
        }
    }

    @Test func `The page waits for its port, and everything else runs without it`() async throws {
        try await withTemporaryDirectory { directory in
            var up: RunningProgram?
            try await withBroker { broker in
                let started = try await start(
                    directory, try reservePort(), web: UInt16(broker.port))
                up = started
                #expect(
                    started.lines.contains {
                        $0.contains("Port \(broker.port) is taken")
                            && $0.contains("the page is tried again")
                    }, "\(started.lines)")
                _ = try await eventually("the page's complaint") {
                    started.lines.contains { $0.contains("everything else continues") } ? true : nil
                }
                #expect(!started.lines.contains { $0.contains("The page is at") })
                #expect(started.ending == nil)
                let doctor = try await Program.run(
                    Program.kith, ["doctor", "--data", directory],
                    environment: ["KITH_WEB_PORT": "\(broker.port)"])
                #expect(doctor.output.contains(#/mosquitto \(\d+\) listens at/#), "\(doctor)")
            }
            let page = try await page(of: try #require(up))
            let config = try await Program.succeed("curl", ["-s", "\(page)config.json"])
            #expect(JSON(parsing: config)["root"] == "kith")
            await up?.end(SIGTERM)
        }
    }

    @Test func `A map and terms that cannot be read leave the page degraded until they can`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (map, terms) = (directory + "/town.mbtiles", directory + "/terms.txt")
            try Data("no map".utf8).write(to: URL(fileURLWithPath: map))
            let text = "web: { map: \(map), terms: \(terms) }\nterms: { version: 1 }\n"
            try Data(text.utf8).write(to: URL(fileURLWithPath: directory + "/kith.yaml"))
            let check = try await Program.run(
                Program.kith, ["check-config", "--data", directory])
            #expect(check.status == 1 && check.errors.contains("web.terms"), "\(check)")
            let up = try await start(directory, try reservePort())
            let page = try await page(of: up)
            for (file, words) in [(map, "The map"), (terms, "The file")] {
                #expect(
                    up.lines.contains { $0.contains("\(words) \(file) cannot be") }, "\(up.lines)")
            }
            func health() async throws -> (code: String, body: JSON) {
                let answer = try await Program.succeed(
                    "curl", ["-s", "-w", "\n%{http_code}", "\(page)healthz"])
                let parts = answer.split(separator: "\n")
                return (String(parts.last ?? ""), JSON(parsing: String(parts.first ?? "")))
            }
            func status(of path: String) async throws -> String {
                try await Program.succeed(
                    "curl", ["-s", "-o", "/dev/null", "-w", "%{http_code}", page + path])
            }
            let ill = try await eventually("a bridge that answers") {
                let found = try await health()
                return found.code == "200" ? found.body : nil
            }
            #expect(ill["status"] == "degraded" && ill["reason"] == "map-unreadable")
            let doctor = try await Program.run(Program.kith, ["doctor", "--data", directory])
            #expect(doctor.output.contains("The map \(map) cannot be used"), "\(doctor)")
            let shown = try await Program.run(Program.kith, ["status", "--data", directory])
            #expect(shown.output.contains("The page runs without its map"), "\(shown)")
            let token = try String(contentsOfFile: directory + "/tokens/metrics", encoding: .utf8)
            let metrics = try await Program.succeed(
                "curl", ["-s", "-H", "Authorization: Bearer \(token.trimmed)", "\(page)metrics"])
            #expect(metrics.contains(#"kith_concern{name="map-unreadable"} 1"#))
            #expect(try await status(of: "terms") == "503")
            #expect(try await status(of: "map/1/0/0") == "503")

            try FileManager.default.removeItem(atPath: map)
            try FileManager.default.copyItem(atPath: MapTests.monaco, toPath: map)
            try Data("Be kind.".utf8).write(to: URL(fileURLWithPath: terms))
            _ = try await eventually("the page to be well") {
                try await health().body["status"] == "ok" ? true : nil
            }
            #expect(try await status(of: "terms") == "200")
            let config = try await Program.succeed("curl", ["-s", "\(page)config.json"])
            #expect(JSON(parsing: config)["tiles"]["url"].text?.hasPrefix("/map/") == true)
            await up.end(SIGTERM)
        }
    }

    @Test func `Mosquitto does not outlive a killed kith up`() async throws {
        try await withTemporaryDirectory { directory in
            let up = try await start(directory, try reservePort())
            let mosquitto = try mosquitto(of: up)
            #expect(isAlive(mosquitto))
            await up.kill()
            _ = try await eventually("its end") { isAlive(mosquitto) ? nil : true }
        }
    }

    @Test func `A second bridge on the same data is refused`() async throws {
        try await withInstallation { installation in
            try await installation.start()
            let second = try await Program.run(
                Program.kith, ["serve", "--data", installation.directory])
            #expect(second.status == 1)
            #expect(second.complaints.last == "kith: Another bridge is using this database.")
        }
    }

    @Test func `OpenStreetMap's own tiles are shown only if chosen`() async throws {
        try await withTemporaryDirectory { directory in
            let choices: [([String], String?)] = [
                ([], nil), (["--map", "osm"], "https://tile.openstreetmap.org/{z}/{x}/{y}.png"),
                (["--map", "none"], nil), (["--map", MapTests.monaco], "/map/{z}/{x}/{y}"),
            ]
            for (arguments, address) in choices {
                let up = try await start(directory, try reservePort(), arguments)
                let page = try await self.page(of: up)
                let config = try await Program.succeed("curl", ["-s", "\(page)config.json"])
                let url = JSON(parsing: config)["tiles"]["url"].text
                #expect(url.map { String($0.prefix { $0 != "?" }) } == address)
                await up.end(SIGTERM)
                // No one was asked, as there is no terminal.
                #expect(!up.lines.contains { $0.contains("openstreetmap") })
            }
            // An answer given on a terminal holds until there is a map.
            try Data("osm\n".utf8).write(to: URL(fileURLWithPath: directory + "/map-choice"))
            let shown = try await Program.succeed(
                Program.kith, ["map", "show", "--data", directory])
            #expect(shown.contains("tile.openstreetmap.org"))
            try await Program.succeed(
                Program.kith, ["map", "add", MapTests.monaco, "--data", directory])
            let then = try await Program.succeed(
                Program.kith, ["map", "show", "--data", directory])
            #expect(then.contains("Monaco"))
        }
    }

    /// The page's address, once it is up.
    private func page(of up: RunningProgram) async throws -> String {
        try await eventually("a page: \(up.lines)") {
            up.lines.compactMap { line in
                line.firstMatch(of: /http:\S+/).map { String($0.output) }
            }.first
        }
    }

    /// Returns when the bridge is connected to its broker.
    private func start(
        _ directory: String, _ port: UInt16, web: UInt16 = 0, _ arguments: [String] = []
    ) async throws -> RunningProgram {
        let up = RunningProgram(
            Program.kith,
            ["up", "--data", directory, "--port", "\(port)", "--web-port", "\(web)"] + arguments)
        let isConnected = try await eventually("a connected bridge") { () -> Bool? in
            if up.lines.contains(where: { $0.contains("Connected to the broker") }) { return true }
            return up.ending == nil ? nil : false
        }
        try #require(isConnected, "it ended: \(up.lines)")
        return up
    }

    /// Returns the child process with this name.
    private func mosquitto(of up: RunningProgram) throws -> pid_t {
        let parent = try #require(up.processIdentifier)
        let processes = try FileManager.default.contentsOfDirectory(atPath: "/proc")
            .compactMap { pid_t($0) }
        return try #require(
            processes.first { process in
                // Whether it is sleeping at this moment does not matter.
                let fields = status(of: process)?.split(separator: " ") ?? []
                return fields.count > 3 && fields[1] == "(mosquitto)" && fields[3] == "\(parent)"
            })
    }

    private func isAlive(_ process: pid_t) -> Bool {
        status(of: process).map { !$0.contains(") Z ") } ?? false
    }

    /// See `man 5 proc`.
    private func status(of process: pid_t) -> String? {
        try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
    }
}
