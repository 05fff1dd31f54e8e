import Foundation
import Glibc
import Subprocess
import SystemPackage
import TestBroker
public import TestSupport

/// Debian's mail server, for one test: it accepts mail from the user `kith` with the
/// password `secret`, refuses `nobody@…`, and defers `later@…`.
public struct Exim: Sendable {
    public static let program = "/usr/sbin/exim4"
    public static var isInstalled: Bool { access(program, X_OK) == 0 }

    public let directory: String
    /// STARTTLS.
    public let port: Int
    /// TLS from the first byte on.
    public let securePort: Int
    /// Self-signed.
    public let certificate: String

    /// The mailbox of everything accepted, as mbox.
    public var inbox: String { directory + "/inbox" }

    /// What Python's parser finds in the mails received: `names`, `subject`, `from`, `to`, `date`,
    /// `id`, `automatic`, `type`, `text` and `defects` of each.
    public func mails() async throws -> [JSON] {
        guard access(inbox, F_OK) == 0 else { return [] }
        let reader =
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().path
            + "/Scripts/read_mail.py"
        return JSON(parsing: try await output(of: "/usr/bin/python3", [reader, inbox])).elements
    }

    public static func run(_ body: (Exim) async throws -> Void) async throws {
        try await withTemporaryDirectory { directory in
            // It works as a user of its own.
            guard chmod(directory, 0o777) == 0 else { throw ServerFailure(description: directory) }
            let (certificate, key) = try await makeCertificate(in: directory)
            guard chmod(key, 0o644) == 0 else { throw ServerFailure(description: key) }
            let exim = Exim(
                directory: directory, port: Int(try reservePort()),
                securePort: Int(try reservePort()), certificate: certificate)
            let path = directory + "/exim.conf"
            try exim.configuration(key: key).write(
                toFile: path, atomically: true, encoding: .utf8)
            try await exim.run(configuration: path, body)
        }
    }

    private func run(
        configuration: String, _ body: (Exim) async throws -> Void
    ) async throws {
        let result = try await Subprocess.run(
            .path(FilePath(Exim.program)), arguments: ["-C", configuration, "-bdf"],
            input: .none, output: .discarded, error: .discarded
        ) { execution in
            let result: Result<Void, any Error>
            do {
                try await listening()
                result = .success(try await body(self))
            } catch {
                result = .failure(error)
            }
            try execution.send(signal: .terminate)
            try result.get()
        }
        _ = result
    }

    /// Returns when something listens on both ports.
    private func listening() async throws {
        let deadline = ContinuousClock.now + patience
        while !(listens(on: port) && listens(on: securePort)) {
            guard ContinuousClock.now < deadline else {
                throw ServerFailure(description: "Exim does not start")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    private func configuration(key: String) -> String {
        """
        primary_hostname = localhost
        spool_directory = \(directory)/spool
        log_file_path = \(directory)/log-%slog
        pid_file_path = \(directory)/pid
        daemon_smtp_ports = \(port) : \(securePort)
        tls_on_connect_ports = \(securePort)
        local_interfaces = 127.0.0.1
        tls_certificate = \(certificate)
        tls_privatekey = \(key)
        tls_advertise_hosts = *
        host_lookup =
        deliver_drop_privilege = true
        keep_environment =
        acl_smtp_rcpt = recipients

        begin acl
        recipients:
          deny !authenticated = *
               message = who are you
          deny local_parts = nobody
               message = no such person
          defer local_parts = later
               message = not now
          accept

        begin routers
        all:
          driver = accept
          transport = file

        begin transports
        file:
          driver = appendfile
          file = \(inbox)
          create_file = anywhere
          mode = 0666
        \(getuid() == 0 ? "  user = Debian-exim" : "")

        begin authenticators
        plain:
          driver = plaintext
          public_name = PLAIN
          server_prompts = :
          server_condition = ${if and{{eq{$auth2}{kith}}{eq{$auth3}{secret}}}}
          server_set_id = $auth2
          server_advertise_condition = ${if def:tls_in_cipher}
        """ + "\n"
    }
}
