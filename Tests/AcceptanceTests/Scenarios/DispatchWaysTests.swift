import Foundation
import TestBroker
import TestServers
import TestSupport
import Testing

/// The ways to dispatch, with `tools/dispatch-simulator` at the other end.
@Suite(.timeLimit(.minutes(3)))
struct DispatchWaysTests {
    private static let program = Document.project + "/tools/dispatch-simulator"
    private static let secret = "whsec_" + String(repeating: "QUFB", count: 8)

    /// An installation whose areas are a file in a directory of its own.
    ///
    /// - Parameter ways: in the north, by the port of the webhook.
    private func withWays(
        _ arguments: String..., ways: (Int, String) -> String,
        _ body: (Installation, RunningProgram, String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let (certificate, key) = try await makeCertificate(in: directory)
            let both = directory + "/both.pem"
            try
                (String(contentsOfFile: certificate, encoding: .utf8)
                + String(contentsOfFile: key, encoding: .utf8))
                .write(toFile: both, atomically: true, encoding: .utf8)
            let webhook = RunningProgram(
                Self.program,
                ["--webhook", "0", "--certificate", both, "--secret", Self.secret] + arguments)
            let port = try await eventually("its port: \(webhook.lines)") {
                webhook.lines.first.flatMap { Int($0.split(separator: " ").last ?? "") }
            }
            let areas = """
                {"type":"FeatureCollection","features":[
                {"type":"Feature","properties":{"name":"north","number":"144",
                  "ways":[\(ways(port, directory))]},
                 "geometry":{"type":"Polygon","coordinates":
                   [[[14,45.9],[15,45.9],[15,47],[14,47],[14,45.9]]]}},
                {"type":"Feature","geometry":null,
                  "properties":{"number":"112","ways":[{"way":"mqtt"}]}}]}
                """
            try areas.write(
                toFile: directory + "/areas.json", atomically: true, encoding: .utf8)
            try await withInstallation([
                "KITH_EMERGENCY_DISPATCH_AREAS": directory + "/areas.json",
                "KITH_CHANNELS_AUTHORITIES": certificate,
                // So that a test takes seconds.
                "KITH_EMERGENCY_FIRST_REPEAT_AFTER": "1", "KITH_EMERGENCY_REPEAT_AFTER": "1",
                "KITH_EMERGENCY_CALLS_PER_WAY": "2",
            ]) { installation in
                try await body(installation, webhook, directory)
            }
            await webhook.kill()
        }
    }

    private static func webhook(_ port: Int) -> String {
        #"{"way":"webhook","url":"https://127.0.0.1:\#(port)/","secret":"\#(secret)"}"#
    }

    /// A program that keeps what it receives, and answers with the content of `answer`, if any.
    private static func pager(_ directory: String) throws -> String {
        let path = directory + "/pager"
        try """
        #!/bin/sh
        env > "$1/environment"
        cat >> "$1/told"
        echo >> "$1/told"
        cat "$1/answer" 2> /dev/null || true
        """.write(toFile: path, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o700], ofItemAtPath: path)
        return #"{"way":"command","run":["\#(path)","\#(directory)"]}"#
    }

    private func collapse(_ installation: Installation) async throws {
        let now = Int(Date.now.timeIntervalSince1970 * 1000)
        try await installation.publish(
            "kith/users/ann/devices/watch/vitals",
            #"{"timestamp":\#(now),"heartRate":33,"oxygenSaturation":82,"respiratoryRate":7}"#)
    }

    private func begin(_ installation: Installation) async throws -> String {
        let group = try await installation.family("ann", "ben")
        try await installation.start()
        try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
        try await installation.publish(Topic.fix("ann"), fix(at: 100))
        try await installation.done("ann", "vitals.consent")
        try await installation.done("ann", "emergency.subscribe")
        return group
    }

    @Test func `A silent webhook is followed by a program, whose answer counts`() async throws {
        try await withWays(
            "--answer", "silent",
            ways: { port, directory in
                "\(Self.webhook(port)),\((try? Self.pager(directory)) ?? "")"
            }
        ) { installation, webhook, directory in
            let group = try await begin(installation)
            let centre = try await installation.listen(as: .dispatch, to: "kith/dispatch/#")
            let ben = try await installation.listen(as: .device("ben"), to: Topic.alerts(group))
            try await collapse(installation)
            let call = try await ben.hears("the alert", on: Topic.alerts(group)) {
                $0["kind"] == "in-need"
            }
            #expect(call.json["number"] == "144")
            _ = try await eventually("the second attempt: \(webhook.lines)") {
                webhook.lines.contains { $0.hasPrefix("calling attempt 2 ") } ? true : nil
            }
            // Both ways are silent: her family has to call.
            let alert = try await ben.hears("that nobody answers", on: Topic.alerts(group)) {
                $0["kind"] == "unanswered"
            }
            #expect(alert.json["text"].text?.contains("Please call 144 yourself.") == true)
            let told = try String(contentsOfFile: directory + "/told", encoding: .utf8)
            let incident = JSON(
                parsing: String(told.split(separator: "\n").first ?? ""))
            #expect(incident["user"]["name"] == "Ann" && incident["area"] == "north")
            let environment = try String(
                contentsOfFile: directory + "/environment", encoding: .utf8)
            #expect(!environment.contains("KITH"))
            try #"{"status":"acknowledged","by":"The neighbours"}"#.write(
                toFile: directory + "/answer", atomically: true, encoding: .utf8)
            try await ben.hears("who helps", on: Topic.alerts(group)) { $0["kind"] == "assisted" }
            let listed = try await installation.done("ann", "incident.list")["incidents"].elements
            #expect(listed.first?["events"].elements.last?["by"] == "The neighbours")
            try await installation.done("ann", "sos.stop")
            _ = try await eventually("the end: \(webhook.lines)") {
                webhook.lines.contains { $0.hasPrefix("closed ") } ? true : nil
            }
            #expect(
                !centre.latest.keys.contains { $0.hasPrefix("kith/dispatch/incidents") },
                "the broker is no way there")
            #expect(!webhook.lines.contains { $0.contains("signature") })
        }
    }

    @Test func `An operator sees which way answers, and which does not`() async throws {
        try await withWays(
            ways: { port, directory in
                "{\"way\":\"mqtt\"},\(Self.webhook(port)),\((try? Self.pager(directory)) ?? "")"
            }
        ) { installation, webhook, directory in
            _ = try await begin(installation)
            let desk = RunningProgram(
                Self.program, ["--token", "\(installation.directory)/tokens/dispatch"],
                environment: ["PORT": "\(installation.port)"])
            _ = try await eventually("the desk: \(desk.lines)") {
                desk.lines.contains("listening") ? true : nil
            }
            let outcome = try await Program.run(
                Program.kith,
                ["emergency", "drill", "--area", "north", "--data", installation.directory],
                environment: installation.environment)
            #expect(outcome.output.contains("north\twebhook\tanswered"), "\(outcome)")
            #expect(outcome.output.contains("north\tcommand\ttaken"))
            #expect(outcome.output.contains("north\tmqtt\tanswered"))
            #expect(outcome.status == 1 && outcome.errors.contains("1 of 3 ways"))
            #expect(webhook.lines.contains { $0.contains("(drill: exercise)") })
            try #"{"status":"acknowledged"}"#.write(
                toFile: directory + "/answer", atomically: true, encoding: .utf8)
            let second = try await installation.kith("emergency", "drill", "--area", "north")
            #expect(second.contains("north\tcommand\tanswered"))
            // A desk that breaks off while it is called is notified again.
            await desk.kill()
            await webhook.kill()
            let rude = RunningProgram(
                Self.program,
                ["--token", "\(installation.directory)/tokens/dispatch", "--answer", "hang-up"],
                environment: ["PORT": "\(installation.port)"])
            try await collapse(installation)
            _ = try await eventually("two calls: \(rude.lines)") {
                rude.lines.count { $0 == "hung up" } >= 2 ? true : nil
            }
            await rude.kill()
        }
    }
}
