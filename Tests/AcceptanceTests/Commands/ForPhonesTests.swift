import Foundation
import TestBroker
import TestSupport
import Testing

/// `kith up --for-phones`: everything that phones need.
@Suite(.timeLimit(.minutes(2)))
struct ForPhonesTests {
    private static let name = "kith.test"

    /// The configuration for phones, on free ports.
    private func template(in directory: String) throws -> String {
        let path = directory + "/production.conf"
        try String(
            contentsOfFile: Document.project + "/broker-config/production.conf", encoding: .utf8
        ).replacing("listener 8883", with: "listener \(try reservePort())")
            .replacing("listener 8084", with: "listener \(try reservePort())")
            // It names a user of its own; the tests may run as root.
            .appending(geteuid() == 0 ? "\nuser root\n" : "")
            .write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    private func withUp(
        _ data: String, _ template: String, _ body: (RunningProgram, Int) async throws -> Void
    ) async throws {
        let web = Int(try reservePort())
        let up = RunningProgram(
            Program.kith,
            [
                "up", "--data", data, "--port", "\(try reservePort())", "--web-port", "\(web)",
                "--broker-config", template, "--for-phones", ForPhonesTests.name,
            ])
        do {
            let isOpen = try await eventually("a page:\n\(up.lines)") { () -> Bool? in
                if up.lines.contains(where: { $0.contains("What to do on a phone") }) {
                    return true
                }
                return up.ending == nil ? nil : false
            }
            try #require(isOpen, "it ended: \(up.lines)")
            try await body(up, web)
        } catch {
            await up.end(SIGTERM)
            throw error
        }
        await up.end(SIGTERM)
    }

    private func curl(_ data: String, _ port: Int, _ path: String, _ arguments: String...)
        async throws -> Ending
    {
        try await Program.run(
            "curl",
            [
                "-s", "--cacert", data + "/certificates/ca.crt", "--resolve",
                "\(ForPhonesTests.name):\(port):127.0.0.1",
            ] + arguments + ["https://\(ForPhonesTests.name):\(port)/\(path)"])
    }

    @Test func `A phone finds a page with HTTPS, a broker with TLS, and their certificate`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            let template = try template(in: directory)
            try await withUp(data, template) { up, port in
                let config = try await curl(data, port, "config.json")
                #expect(config.status == 0, "\(config)")
                let broker = JSON(parsing: config.output)["broker"]
                #expect(broker["host"] == "kith.test" && broker["tls"] == true)
                #expect(broker["port"].number == 8883)
                let authority = try await curl(data, port, "ca.crt")
                #expect(
                    try authority.output.trimmed
                        == String(contentsOfFile: data + "/certificates/ca.crt", encoding: .utf8)
                        .trimmed)
                let head = try await curl(data, port, "", "-I").output.lowercased()
                #expect(head.contains("strict-transport-security"))

                let old = try await curl(data, port, "", "--tls-max", "1.1")
                #expect(old.status != 0)
                let plain = try await Program.run("curl", ["-s", "http://127.0.0.1:\(port)/"])
                #expect(plain.output.isEmpty)

                let told = up.lines.joined(separator: "\n")
                #expect(told.contains("the page is https://kith.test:\(port)/"))
                #expect(!told.contains("█▀"), "each start would write it into the journal")
                let phones = try await Program.succeed(Program.kith, ["phones", "--data", data])
                #expect(phones.contains("https://kith.test:\(port)/ca.crt"))
                #expect(phones.contains("█▀"))
                let fingerprint = try await Program.succeed(
                    "openssl",
                    [
                        "x509", "-in", data + "/certificates/ca.crt", "-noout", "-fingerprint",
                        "-sha256",
                    ])
                #expect(phones.contains(fingerprint.split(separator: "=").last ?? "?"))
                try await expectKnown(data, port)
            }
            // Existing files are reused.
            let made = try Data(contentsOf: URL(fileURLWithPath: data + "/certificates/server.crt"))
            try await withUp(data, template) { _, port in
                let again = try await curl(data, port, "config.json")
                #expect(again.status == 0, "\(again)")
            }
            let again = try Data(
                contentsOf: URL(fileURLWithPath: data + "/certificates/server.crt"))
            #expect(made == again)
        }
    }

    /// The output of the operator's commands follows the running program's options.
    private func expectKnown(_ data: String, _ port: Int) async throws {
        func kith(_ arguments: String...) async throws -> String {
            try await Program.succeed(Program.kith, arguments + ["--data", data])
        }
        _ = try await kith("user", "add", "ann")
        let link = try await kith("user", "invite", "ann")
        #expect(link.hasPrefix("https://kith.test:\(port)/#/recover/"), "\(link)")
        let phone = JSON(
            parsing: try await kith("user", "token", "ann", "phone", "--owntracks"))
        #expect(phone["host"] == "kith.test" && phone["tls"] == true)
        #expect(phone["port"].number == 8883)
        let checked = try await kith("check-config")
        #expect(checked.contains("is valid") && !checked.contains("browsers"), "\(checked)")
        let doctor = try await Program.run(
            Program.kith, ["doctor", "--json", "--data", data],
            environment: ["KITH_MAIL_HOST": "127.0.0.1", "KITH_MAIL_FROM": "kith@kith.test"])
        let names = JSON(parsing: doctor.output)["troubles"].elements.map { $0["name"].text }
        #expect(names.contains("no-backup") && !names.contains("no-mail"), "\(doctor)")
        #expect(!names.contains("page-taken") && !names.contains("certificate-key"), "\(doctor)")
    }

    /// Of a public authority, as far as Kith can tell: it cannot be renewed here.
    @Test(arguments: [(10, "expires within thirty days"), (-1, "has expired, and phones refuse")])
    func `An external certificate that is about to expire, or has, is still served`(
        _ days: Int, _ warning: String
    ) async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            let certificates = data + "/certificates"
            try FileManager.default.createDirectory(
                atPath: certificates, withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700])
            _ = try await Program.succeed(
                "bash",
                [
                    "-c",
                    """
                    cd '\(certificates)'
                    openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
                        -subj /CN=kith.test -keyout server.key -out request
                    openssl x509 -req -in request -signkey server.key -days \(days) -out server.crt \
                        -extfile <(echo subjectAltName=DNS:kith.test)
                    rm request
                    """,
                ])
            let made = FileManager.default.contents(atPath: certificates + "/server.crt")
            try await withUp(data, try template(in: directory)) { up, port in
                #expect(up.lines.contains { $0.contains(warning) }, "\(up.lines)")
                let page = try await Program.run(
                    "curl", ["-sk", "https://127.0.0.1:\(port)/config.json"])
                #expect(page.output.contains("kith.test"), "\(page)")
                let told = JSON(
                    parsing: try await Program.run(
                        Program.kith, ["doctor", "--json", "--data", data]
                    ).output)["troubles"].elements.map { $0["name"].text }
                #expect(told.contains(days < 0 ? "certificate-ended" : "certificate-ending"))
            }
            #expect(FileManager.default.contents(atPath: certificates + "/server.crt") == made)
        }
    }

    @Test func `A new certificate needs no restart, and a broken one changes nothing`() async throws
    {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            try await withUp(data, try template(in: directory)) { up, port in
                let first = try await fingerprint(port)
                let process = try #require(up.processIdentifier)
                _ = try await Program.succeed(
                    Document.project + "/tools/certificates",
                    [data + "/certificates", ForPhonesTests.name])
                kill(process, SIGHUP)
                _ = try await eventually("another certificate: \(up.lines)") {
                    try await fingerprint(port) == first ? nil : true
                }
                #expect(up.processIdentifier == process)
                let second = try await fingerprint(port)
                let key = data + "/certificates/server.key"
                try "no key".write(toFile: key, atomically: true, encoding: .utf8)
                kill(process, SIGHUP)
                _ = try await eventually("a complaint: \(up.lines)") {
                    up.lines.contains { $0.contains("keeps its current certificate") }
                        ? true : nil
                }
                #expect(try await fingerprint(port) == second)
            }
        }
    }

    private func fingerprint(_ port: Int) async throws -> String {
        try await Program.succeed(
            "bash",
            [
                "-c",
                "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null "
                    + "| openssl x509 -noout -fingerprint",
            ])
    }

    @Test(arguments: [
        "localhost", "127.0.0.1", "-x", "a/b", "https://kith.test", "kith.test:8443",
    ])
    func `An invalid name for phones is refused`(_ name: String) async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            let ending = try await Program.run(
                Program.kith,
                ["up", "--data", data, "--port", "\(try reservePort())", "--for-phones=\(name)"])
            #expect(
                ending.status == 1
                    && (ending.errors.contains("host name")
                        || ending.errors.contains("only this machine")),
                "\(ending)")
            #expect(!FileManager.default.fileExists(atPath: data))
        }
    }

    @Test func `An external certificate for another name is left as it is`() async throws {
        try await withTemporaryDirectory { directory in
            let data = directory + "/data"
            _ = try await Program.succeed(
                Document.project + "/tools/certificates",
                [data + "/certificates", "other.example.org"])
            try FileManager.default.removeItem(atPath: data + "/certificates/ca.key")
            let ending = try await Program.run(
                Program.kith,
                [
                    "up", "--data", data, "--port", "\(try reservePort())", "--web-port",
                    "\(try reservePort())", "--broker-config", try template(in: directory),
                    "--for-phones", ForPhonesTests.name,
                ])
            #expect(ending.status == 1, "\(ending)")
            #expect(ending.errors.contains("is not for kith.test"))
        }
    }
}
