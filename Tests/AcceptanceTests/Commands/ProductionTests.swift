import Foundation
import TestBroker
import TestSupport
import Testing

/// The configuration for remote phones: TLS, with certificates from `tools/certificates`.
@Suite(.timeLimit(.minutes(2)))
struct ProductionTests {
    private static let project =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
        .joined(separator: "/")

    @Test func `A remote phone connects through TLS and nothing else`() async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            let made = try await Program.succeed(
                ProductionTests.project + "/tools/certificates",
                [data + "/certificates", "localhost", "127.0.0.1"])
            #expect(made.hasPrefix("Made \(data)/certificates/server.crt"))
            let (plain, phones, web) = try (
                reservePort(), reservePort(), reservePort()
            )
            let template = directory + "/production.conf"
            try String(
                contentsOfFile: ProductionTests.project + "/broker-config/production.conf",
                encoding: .utf8
            ).replacing("listener 8883", with: "listener \(phones)")
                .replacing("listener 8084", with: "listener \(web)")
                // It names a user of its own; the tests may run as root.
                .appending(geteuid() == 0 ? "\nuser root\n" : "")
                .write(toFile: template, atomically: true, encoding: .utf8)
            let up = RunningProgram(
                Program.kith,
                [
                    "up", "--data", data, "--port", "\(plain)", "--web-port", "0",
                    "--broker-config", template,
                ])
            _ = try await eventually("a connected bridge: \(up.lines)") {
                up.lines.contains { $0.contains("Connected to the broker") } ? true : nil
            }
            try await expectTLS(data, port: phones)
            try await expectWebSocket(data, port: web)
            try await expectRenewal(data, ports: [phones, web], by: up)
            await up.end(SIGTERM)
        }
    }

    private func expectTLS(_ data: String, port: UInt16) async throws {
        try await Program.succeed(Program.kith, ["user", "add", "ann", "--data", data])
        try await Program.succeed(
            Program.kith, ["group", "create", "Family", "ann", "--data", data])
        let file = try await Program.succeed(
            Program.kith,
            [
                "user", "token", "ann", "phone", "--owntracks", "--host", "localhost",
                "--port", "\(port)", "--tls", "--data", data,
            ])
        let configuration = JSON(parsing: file)
        #expect(configuration["tls"] == true)
        #expect(configuration["port"].number == Double(port))
        let token = try #require(configuration["password"].text)
        let arguments = [
            "-h", "localhost", "-p", "\(port)", "-u", "ann", "-P", token,
            "-t", "kith/users/ann/groups", "-C", "1", "-W", "25",
        ]
        let authority = ["--cafile", data + "/certificates/ca.crt"]
        let groups = try await Program.succeed("mosquitto_sub", arguments + authority)
        #expect(JSON(parsing: groups).elements.first?["name"] == "Family")
        let plain = try await Program.run("mosquitto_sub", arguments)
        #expect(plain.status != 0)
        let old = try await Program.run(
            "openssl",
            ["s_client", "-connect", "localhost:\(port)", "-tls1_1"] + ["-brief"])
        #expect(old.status != 0)
    }

    /// A SIGHUP to Mosquitto alone would leave the old certificate on the listener for browsers.
    private func expectRenewal(_ data: String, ports: [UInt16], by up: RunningProgram)
        async throws
    {
        let before = try await certificates(ports)
        #expect(Set(before).count == 1)
        _ = try await Program.succeed(
            ProductionTests.project + "/tools/certificates",
            [data + "/certificates", "localhost", "127.0.0.1"])
        kill(try #require(up.processIdentifier), SIGHUP)
        _ = try await eventually("a new broker: \(up.lines)") {
            up.lines.count { $0.contains("Connected to the broker") } == 2 ? true : nil
        }
        let after = try await certificates(ports)
        #expect(Set(after).count == 1 && after.first != before.first)
    }

    /// The fingerprints of the certificates presented on these ports.
    private func certificates(_ ports: [UInt16]) async throws -> [String] {
        var shown: [String] = []
        for port in ports {
            shown.append(
                try await Program.succeed(
                    "bash",
                    [
                        "-c",
                        "openssl s_client -connect localhost:\(port) </dev/null 2>/dev/null "
                            + "| openssl x509 -noout -fingerprint",
                    ]))
        }
        return shown
    }

    private func expectWebSocket(_ data: String, port: UInt16) async throws {
        // It would run for ever; it immediately prints what it receives.
        let curl = RunningProgram(
            "curl",
            [
                "-sv", "--http1.1",
                "--cacert", data + "/certificates/ca.crt", "https://localhost:\(port)/",
                "-H", "Connection: Upgrade", "-H", "Upgrade: websocket",
                "-H", "Sec-WebSocket-Version: 13", "-H", "Sec-WebSocket-Protocol: mqtt",
                "-H", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
            ])
        let answer = try await eventually("an answer") {
            curl.lines.first { $0.hasPrefix("< HTTP/") } ?? curl.ending
        }
        await curl.kill()
        #expect(answer.hasPrefix("< HTTP/1.1 101"), "\(curl.lines)")
    }
}
