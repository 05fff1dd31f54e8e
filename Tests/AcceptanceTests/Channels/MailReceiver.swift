import Foundation
import TestSupport
import Testing

/// The transfer tests' mail server, which prints what it accepts.
struct MailReceiver: Sendable {
    private let program: RunningProgram
    let port: Int

    /// `{to,text}`, in the order in which they arrived.
    var mails: [JSON] { program.lines.dropFirst().map { JSON(parsing: $0) } }

    /// Settings that make an installation send its mail there.
    var settings: [String: String] {
        [
            "KITH_MAIL_HOST": "127.0.0.1", "KITH_MAIL_PORT": "\(port)",
            "KITH_MAIL_SECURITY": "none", "KITH_MAIL_FROM": "kith@example.org",
        ]
    }

    static func start() async throws -> MailReceiver {
        let program = RunningProgram("python3", ["-u", script, "220 hello", "print"])
        let line = try await eventually("a mail server: \(program.lines)") { program.lines.first }
        return MailReceiver(program: program, port: try #require(Int(line), "\(program.lines)"))
    }

    func stop() async { await program.kill() }

    private static let script =
        (0..<3).reduce(URL(fileURLWithPath: #filePath)) { url, _ in
            url.deletingLastPathComponent()
        }.path + "/TransferServerTests/Servers/smtp_server.py"
}
