import Foundation
import TestBroker
import TestSupport
import Testing

/// The bridge and the page are separate processes: the end of one does not end the other.
@Suite(.timeLimit(.minutes(2)))
struct PartsTests {
    /// A running `kith up`, and its processes.
    private struct Running {
        let program: RunningProgram
        let directory: String
        let port: UInt16
        let address: String

        /// The process of a part, as `--part` names it; nil while there is none.
        func process(_ part: String) -> pid_t? {
            guard let parent = program.processIdentifier else { return nil }
            return children(of: parent).first {
                arguments(of: $0).contains(["--part", part])
            }
        }

        var mosquitto: pid_t? {
            guard let parent = program.processIdentifier else { return nil }
            return children(of: parent).first {
                arguments(of: $0).first?.hasSuffix("mosquitto") ?? false
            }
        }

        private func children(of parent: pid_t) -> [pid_t] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return names.compactMap { pid_t($0) }.filter { process in
                isAlive(process) && fields(of: process).dropFirst().first == "\(parent)"
            }
        }

        func isAlive(_ process: pid_t) -> Bool {
            fields(of: process).first.map { $0 != "Z" } ?? false
        }

        /// See `man 5 proc`: the state, the parent, and so on.
        private func fields(of process: pid_t) -> [Substring] {
            let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
            return status?.split(separator: ")").last?.split(separator: " ") ?? []
        }

        private func arguments(of process: pid_t) -> [String] {
            let text = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
            return text?.split(separator: "\0").map(String.init) ?? []
        }

        /// Ann, with a group.
        ///
        /// - Returns: the token of her phone.
        func addAnn() async throws -> String {
            try await kith("user", "add", "ann")
            try await kith("group", "create", "Family", "ann")
            return try await kith("user", "token", "ann", "phone").trimmed
        }

        @discardableResult
        private func kith(_ arguments: String...) async throws -> String {
            try await Program.succeed(Program.kith, arguments + ["--data", directory])
        }

        /// The status of an answer, or 0 if there is none.
        func status(_ path: String, _ arguments: String...) async throws -> Int {
            let ending = try await Program.run(
                "curl",
                ["-s", "-o", "/dev/null", "-w", "%{http_code}", "-m", "25"] + arguments
                    + [address + path])
            return Int(ending.output) ?? 0
        }

        /// `mosquitto_rr`, which shows that a bridge is connected.
        func ask(_ user: String, _ token: String, _ method: String) async throws -> JSON {
            let device = "kith/users/\(user)/devices/phone"
            let reply = try await Program.succeed(
                "mosquitto_rr",
                [
                    "-p", "\(port)", "-u", user, "-P", token, "-V", "5", "-q", "1", "-W", "25",
                    "-t", "\(device)/requests/\(method)", "-e", "\(device)/replies", "-m", "{}",
                ])
            return JSON(parsing: reply)
        }
    }

    private func withUp(
        _ directory: String, port: UInt16, web: UInt16 = 0, _ body: (Running) async throws -> Void
    ) async throws {
        let up = RunningProgram(
            Program.kith,
            [
                "up", "--data", directory, "--port", "\(port)", "--web-port", "\(web)",
            ], environment: ["KITH_ACCOUNTS_PASSWORD_COST": "10"])
        do {
            let address = try await eventually("a page and a bridge: \(up.lines)") {
                let lines = up.lines.joined(separator: "\n")
                guard lines.contains("Connected to the broker") else { return String?.none }
                return lines.firstMatch(of: /The page is at (\S+)/).map { String($0.1) }
            }
            try await body(
                Running(program: up, directory: directory, port: port, address: address))
        } catch {
            await up.end(SIGTERM)
            throw error
        }
        await up.end(SIGTERM)
    }

    /// As an invalid instruction ends it, which is how Swift traps.
    private func end(_ process: pid_t?) throws { kill(try #require(process), SIGILL) }

    @Test func `A page that traps is restarted, and calls for help still pass`() async throws {
        try await withTemporaryDirectory { directory in
            try await withUp(directory, port: try reservePort()) { up in
                let token = try await up.addAnn()
                let (page, bridge) = (up.process("page"), up.process("bridge"))
                let mosquitto = up.mosquitto
                for round in 1...3 {
                    try end(up.process("page"))
                    for method in ["sos.trigger", "sos.stop"] {
                        let reply = try await up.ask("ann", token, method)
                        #expect(reply["result"] != .null, "\(reply)")
                    }
                    _ = try await eventually("page \(round + 1): \(up.program.lines)") {
                        try await up.status("config.json") == 200 ? true : nil
                    }
                }
                #expect(up.process("page") != page)
                #expect(up.process("bridge") == bridge && up.mosquitto == mosquitto)
                let told = up.program.lines.count { $0.contains("the page ended by itself") }
                #expect(told == 3, "\(up.program.lines)")
                // Nothing from memory is printed.
                #expect(!up.program.lines.contains { $0.contains("Backtrac") })
            }
        }
    }

    @Test func `A bridge that traps is restarted, and the page stays`() async throws {
        try await withTemporaryDirectory { directory in
            try await withUp(directory, port: try reservePort()) { up in
                let token = try await up.addAnn()
                let (page, mosquitto) = (up.process("page"), up.mosquitto)
                try end(up.process("bridge"))
                // The request waits at the broker for the next bridge.
                let reply = try await up.ask("ann", token, "sos.trigger")
                #expect(reply["result"] != .null, "\(reply)")
                #expect(up.process("page") == page && up.mosquitto == mosquitto)
            }
        }
    }

    /// Input that once ended the process: JSON beyond the range of a double, rewritten for guests,
    /// and heights beyond that of an integer.
    @Test func `Numbers beyond every range are refused and do not end the page`() async throws {
        try await withTemporaryDirectory { directory in
            try await withUp(directory, port: try reservePort()) { up in
                let token = try await up.addAnn()
                let page = up.process("page")
                for number in ["1e400", "-1e999", "[[1e400]]"] {
                    let body = #"{"login":"ann","password":"x","device":"phone","z":\#(number)}"#
                    // The page forwards it: the bridge checks the password.
                    #expect(try await up.status("api/account.login", "-d", body) == 401)
                }
                #expect(
                    try await up.status("api/account.login", "-d", #"{"login":1e400}"#) == 422)
                for height in ["1e300", "-1e300", "9.3e18", "inf", "nan", "9001"] {
                    let point = #"<ele>\#(height)</ele></trkpt>"#
                    let track =
                        #"<gpx><trk><trkseg><trkpt lat="46" lon="14">\#(point)"#
                        + #"<trkpt lat="46.1" lon="14">\#(point)</trkseg></trk></gpx>"#
                    let answer = try await Program.succeed(
                        "curl",
                        [
                            "-s", "-H", "Authorization: Bearer \(token)", "-H",
                            "Content-Type: application/gpx+xml", "-d", track,
                            up.address + "api/course",
                        ])
                    let course = JSON(parsing: answer)
                    #expect(course["coordinates"].elements.count == 2, "\(height): \(answer)")
                    // That height is unknown.
                    #expect(course["coordinates"].elements.allSatisfy { $0.elements.count == 2 })
                }
                // Nothing is computed for an invented token.
                let invented = "ann.phone." + String(repeating: "A", count: 43)
                #expect(
                    try await up.status(
                        "api/course", "-H", "Authorization: Bearer \(invented)", "-H",
                        "Content-Type: application/gpx+xml", "-d", "<gpx/>") == 401)
                #expect(up.process("page") == page)
            }
        }
    }

    @Test func `Parts end with a killed kith up, and the next one has its ports and its data`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let (port, web) = (try reservePort(), try reservePort())
            try await withUp(directory, port: port, web: web) { up in
                let parts = [up.process("bridge"), up.process("page")].compactMap(\.self)
                #expect(parts.count == 2)
                // A stopped process cannot end by itself.
                for part in parts { kill(part, SIGSTOP) }
                await up.program.kill()
                try await withUp(directory, port: port, web: web) { next in
                    let status = try await next.status("config.json")
                    #expect(status == 200)
                    for part in parts { #expect(!next.isAlive(part)) }
                }
            }
        }
    }

    /// Such as `kith up | head`: writing into a pipe without a reader ends a process that
    /// has not requested an error instead.
    @Test func `Output without a reader ends neither kith up nor its parts`() async throws {
        try await withTemporaryDirectory { directory in
            let web = try reservePort()
            let arguments = "--data \(directory)/data --port \(try reservePort()) --web-port \(web)"
            let shell = RunningProgram(
                "bash",
                [
                    "-c",
                    "'\(Program.kith)' up \(arguments) > >(head -n 1 >/dev/null) 2>&1 & echo $!; wait $!",
                ])
            let up = try await eventually("its process") { shell.lines.first.flatMap { pid_t($0) } }
            let answer = try await eventually("an answer: \(shell.ending ?? "")") {
                let ending = try await Program.run(
                    "curl", ["-sf", "http://127.0.0.1:\(web)/healthz"])
                return ending.status == 0 || shell.ending != nil ? ending.status : nil
            }
            #expect(answer == 0 && shell.ending == nil)
            kill(up, SIGTERM)
            _ = try await eventually("its end") { shell.ending }
            #expect(shell.ending == "exited(0)")
        }
    }
}
