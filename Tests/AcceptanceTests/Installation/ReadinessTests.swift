import Foundation
import TestBroker
import TestSupport
import Testing

/// What is reported to systemd, and what a reload applies.
@Suite(.timeLimit(.minutes(2)))
struct ReadinessTests {
    private func up(_ directory: String, _ more: String..., manager: ServiceManager) throws
        -> RunningProgram
    {
        RunningProgram(
            Program.kith,
            [
                "up", "--data", directory + "/data", "--port", "\(try reservePort())",
            ] + (more.isEmpty ? ["--web-port", "0"] : more),
            environment: ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "20000000"])
    }

    @Test func `kith up is ready when everything serves, and alive from then on`() async throws {
        try await withTemporaryDirectory { directory in
            let manager = try ServiceManager(directory + "/notify")
            let up = try up(directory, manager: manager)
            _ = try await eventually("signs of life: \(manager.lines) \(up.lines)") {
                manager.lines.count { $0 == "WATCHDOG=1" } >= 2 ? true : nil
            }
            // Mosquitto, which would report it much earlier, does not know the socket.
            let lines = manager.lines
            #expect(lines.count { $0 == "READY=1" } == 1)
            #expect(lines.contains("STATUS=Serving."))
            #expect(up.lines.contains { $0.contains("Connected to the broker") })
            #expect(
                try #require(lines.firstIndex(of: "READY=1"))
                    < #require(lines.firstIndex(of: "WATCHDOG=1")))
            await up.end(SIGTERM)
            #expect(manager.lines.last == "STOPPING=1", "\(manager.lines)")
        }
    }

    @Test func `A page without a port is waited for, and does not prevent readiness`() async throws
    {
        try await withBroker { broker in
            try await withTemporaryDirectory { directory in
                let manager = try ServiceManager(directory + "/notify")
                let up = try up(
                    directory, "--web-port", "\(broker.port)", manager: manager)
                let reason = "\(manager.lines) \(up.lines)"
                _ = try await eventually("signs of life: \(reason)", within: .seconds(60)) {
                    manager.lines.contains("WATCHDOG=1") ? true : nil
                }
                #expect(manager.lines.contains("READY=1"))
                #expect(manager.lines.contains("STATUS=Waiting for the page."))
                await up.end(SIGTERM)
            }
        }
    }

    @Test func `A bridge without a broker reports what it waits for, and is not ready`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let manager = try ServiceManager(
                "@kith-test-\(getpid())-\(UInt32.random(in: 0 ... .max))")
            let serve = RunningProgram(
                Program.kith, ["serve", "--data", directory + "/data"],
                environment: [
                    "NOTIFY_SOCKET": manager.name, "KITH_BROKER_PORT": "\(try reservePort())",
                ])
            _ = try await eventually("a reason: \(manager.lines) \(serve.lines)") {
                manager.lines.contains("STATUS=Waiting for the broker.") ? true : nil
            }
            #expect(!manager.lines.contains("READY=1"))
            await serve.end(SIGTERM)
            #expect(serve.ending == "exited(0)", "\(serve.lines)")
        }
    }

    @Test func `A reload refuses invalid settings and applies those that can change`() async throws
    {
        try await withTemporaryDirectory { directory in
            let manager = try ServiceManager(directory + "/notify")
            let file = directory + "/kith.yaml"
            func write(_ text: String) throws {
                try text.write(toFile: file, atomically: true, encoding: .utf8)
            }
            try write("retention:\n  fixes: 30\n")
            let up = try up(directory, "--config", file, manager: manager)
            _ = try await eventually("a start: \(up.lines)") {
                manager.lines.contains("READY=1") ? true : nil
            }
            let process = try #require(up.processIdentifier)
            try write("retention:\n  fixes: never\n")
            kill(process, SIGHUP)
            _ = try await eventually("a refusal: \(up.lines)") {
                up.lines.contains { $0.contains("The settings are unchanged.") } ? true : nil
            }
            #expect(up.lines.contains { $0.contains("line 2 of \(file): retention.fixes must be") })

            try write("retention:\n  fixes: 14\nmail:\n  port: 25\n")
            kill(process, SIGHUP)
            _ = try await eventually("a reload: \(up.lines)") {
                up.lines.contains { $0.contains("after a restart") } ? true : nil
            }
            let taken = try #require(up.lines.first { $0.contains("The settings were reloaded") })
            #expect(taken.contains("retention.fixes") && !taken.contains("mail.port"))
            let later = try #require(up.lines.first { $0.contains("after a restart") })
            #expect(later.contains("mail.port") && !later.contains("retention.fixes"))
            _ = try await eventually("the end of both: \(manager.lines)") {
                let lines = manager.lines
                return lines.count { $0 == "RELOADING=1" } == 2
                    && lines.count { $0 == "READY=1" } == 3 ? true : nil
            }
            await up.end(SIGTERM)
            #expect(up.ending == "exited(0)", "\(up.lines)")
        }
    }
}
