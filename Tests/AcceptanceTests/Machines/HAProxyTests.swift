import Foundation
import Glibc
import TestBroker
import TestServers
import TestSupport
import Testing

/// HAProxy, configured as in the package, before two brokers.
@Suite(.timeLimit(.minutes(3)), .onPostgreSQL)
struct HAProxyTests {
    @Test func `A device is served while either broker is frozen`() async throws {
        try await withPair { pair, other in
            _ = try await pair.installation.family("ann", "ben")
            _ = try await pair.installation.token("ann")
            try await withTemporaryDirectory { directory in
                let proxy = try await HAProxy(pair.installation, other, in: directory)
                try await proxy.serves("ann")
                for broker in [pair.installation.broker, other.broker] {
                    let process = try #require(await broker.processIdentifier)
                    kill(process, SIGSTOP)
                    defer { kill(process, SIGCONT) }
                    try await proxy.serves("ann")
                    kill(process, SIGCONT)
                    // It is used again.
                    try await Task.sleep(for: .seconds(2))
                }
                await proxy.end()
            }
        }
    }
}

private struct HAProxy {
    private let program: RunningProgram
    private let port: UInt16
    private let certificate: String
    private let installation: Installation

    /// The packaged configuration with ports of its own; its brokers here have no TLS.
    init(_ installation: Installation, _ other: Installation, in directory: String) async throws {
        self.installation = installation
        port = try reservePort()
        let (certificate, key) = try await makeCertificate(in: directory)
        self.certificate = certificate
        let both = [certificate, key].map { FileManager.default.contents(atPath: $0) ?? Data() }
        try (both[0] + both[1]).write(to: URL(fileURLWithPath: directory + "/kith.pem"))
        let packaged = try String(
            contentsOfFile: Document.project + "/packaging/haproxy.cfg", encoding: .utf8)
        let spare = try (reservePort(), reservePort())
        var lines: [String] = []
        for line in packaged.split(separator: "\n") {
            // Two machines, whose programs have no TLS.
            if line.contains("c.example.org") || line.contains("default-server ssl") { continue }
            lines.append(
                String(line).replacing("/etc/haproxy", with: directory)
                    .replacing("log /dev/log local0", with: "log stdout format raw local0")
                    .replacing("connect ssl", with: "connect")
                    .replacing("bind :8883", with: "bind 127.0.0.1:\(port)")
                    .replacing("bind :8084", with: "bind 127.0.0.1:\(spare.0)")
                    .replacing("bind :443", with: "bind 127.0.0.1:\(spare.1)")
                    .replacing("a.example.org:8883", with: "127.0.0.1:\(installation.port)")
                    .replacing("b.example.org:8883", with: "127.0.0.1:\(other.port)")
                    .replacing("a.example.org", with: "127.0.0.1")
                    .replacing("b.example.org", with: "127.0.0.1"))
        }
        let path = directory + "/haproxy.cfg"
        try (lines.joined(separator: "\n") + "\n")
            .write(toFile: path, atomically: true, encoding: .utf8)
        program = RunningProgram("/usr/sbin/haproxy", ["-db", "-f", path])
    }

    /// Expects an answer over a new connection, now or soon.
    func serves(_ user: String) async throws {
        let device = Topic.device(user)
        let credentials = Array(
            try await installation.credentials(.device(user)).dropFirst(2))
        _ = try await eventually("an answer: \(program.lines)") { () async throws -> Bool? in
            let answer = try await Program.run(
                "mosquitto_rr",
                ["-h", "127.0.0.1", "-p", "\(port)", "--cafile", certificate] + credentials + [
                    "-V", "5", "-q", "1", "-t", "\(device)/requests/group.list",
                    "-e", "\(device)/replies/\(UUID())", "-m", "{}", "-W", "3",
                ])
            return JSON(parsing: answer.line)["result"] != .null ? true : nil
        }
    }

    func end() async { await program.kill() }
}
