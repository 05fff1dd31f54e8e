import Foundation
import Glibc
import TestBroker
import TestSupport

/// Debian's OpenLDAP directory, for one test: on loopback, in a temporary directory, gone at its
/// end. People are below ``people``; the account ``reader`` may look them up, and no one else may
/// read any entry.
public actor Slapd {
    public static let program = "/usr/sbin/slapd"
    public static let base = "dc=example,dc=org"
    public static let people = "ou=people,dc=example,dc=org"
    public static let reader = "cn=reader,dc=example,dc=org"
    public static let readersPassword = "may-look-people-up"
    private static let administrator = "cn=admin,dc=example,dc=org"

    public nonisolated let directory: String
    public nonisolated let port: Int
    /// TLS from the first byte on.
    public nonisolated let securePort: Int
    /// Self-signed, for 127.0.0.1.
    public nonisolated let certificate: String
    /// With ``readersPassword``.
    public nonisolated let passwordFile: String
    private var process: Process?

    public nonisolated var url: String { "ldap://127.0.0.1:\(port)" }
    public nonisolated var secureURL: String { "ldaps://127.0.0.1:\(securePort)" }

    /// - Parameter isOpen: whether anyone may look people up.
    public static func run(
        isOpen: Bool = false, _ body: (Slapd) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let slapd = try await Slapd(directory, isOpen: isOpen)
            do {
                try await slapd.start()
                try await slapd.fill()
                try await body(slapd)
            } catch {
                await slapd.stop()
                throw error
            }
            await slapd.stop()
        }
    }

    private init(_ directory: String, isOpen: Bool) async throws {
        self.directory = directory
        (port, securePort) = (Int(try reservePort()), Int(try reservePort()))
        let files = FileManager.default
        // Debian confines the program of this path to its own directories.
        try files.copyItem(atPath: Slapd.program, toPath: directory + "/slapd")
        try files.createDirectory(atPath: directory + "/db", withIntermediateDirectories: false)
        let key: String
        (certificate, key) = try await makeCertificate(in: directory)
        passwordFile = directory + "/password"
        try (Slapd.readersPassword + "\n").write(
            toFile: passwordFile, atomically: true, encoding: .utf8)
        let configuration = """
            include /etc/ldap/schema/core.schema
            include /etc/ldap/schema/cosine.schema
            include /etc/ldap/schema/inetorgperson.schema
            modulepath /usr/lib/ldap
            moduleload back_mdb
            pidfile \(directory)/pid
            TLSCertificateFile \(certificate)
            TLSCertificateKeyFile \(key)
            database mdb
            suffix "\(Slapd.base)"
            rootdn "\(Slapd.administrator)"
            rootpw administrator
            directory \(directory)/db
            dbnosync
            access to attrs=userPassword by anonymous auth by * none
            access to * by self read by dn.exact="\(Slapd.reader)" read by \(isOpen ? "* read" : "anonymous auth")
            """
        try configuration.write(
            toFile: directory + "/slapd.conf", atomically: true, encoding: .utf8)
        _ = files.createFile(atPath: directory + "/log", contents: nil)
    }

    // MARK: The server

    /// Returns when it answers.
    public func start() async throws {
        precondition(process == nil, "it runs already")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: directory + "/slapd")
        process.arguments = [
            "-f", directory + "/slapd.conf", "-d", "256", "-h",
            "ldap://127.0.0.1:\(port) ldaps://127.0.0.1:\(securePort)",
        ]
        let log = FileHandle(forWritingAtPath: directory + "/log")
        try log?.seekToEnd()
        process.standardError = log
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
        let deadline = ContinuousClock.now + patience
        while !(listens(on: port) && listens(on: securePort)) {
            guard process.isRunning, ContinuousClock.now < deadline else {
                throw ServerFailure(description: "slapd does not start: \(try logged())")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    /// Returns when it is gone.
    public func stop() {
        guard let process else { return }
        // It inherits the signals that this thread blocks, so that SIGTERM may not reach it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        self.process = nil
    }

    /// It accepts connections, but sends nothing until it is resumed.
    public func hang() { if let process { kill(process.processIdentifier, SIGSTOP) } }
    public func goOn() { if let process { kill(process.processIdentifier, SIGCONT) } }

    /// The requests it received, a line each.
    public nonisolated func logged() throws -> String {
        try String(contentsOfFile: directory + "/log", encoding: .utf8)
    }

    // MARK: People

    private func fill() async throws {
        try await change(
            """
            dn: \(Slapd.base)
            changetype: add
            objectClass: dcObject
            objectClass: organization
            o: Example
            dc: example

            dn: \(Slapd.reader)
            changetype: add
            objectClass: applicationProcess
            objectClass: simpleSecurityObject
            cn: reader
            userPassword: \(Slapd.readersPassword)

            dn: \(Slapd.people)
            changetype: add
            objectClass: organizationalUnit
            ou: people
            """)
    }

    /// - Parameter more: further lines of the entry.
    public func add(
        _ user: String, password: String, first: String = "Anna", last: String = "Lake",
        mail: String? = nil, _ more: String = ""
    ) async throws {
        let lines = [
            "dn: uid=\(user),\(Slapd.people)", "changetype: add", "objectClass: inetOrgPerson",
            "uid: \(user)", "cn: \(first) \(last)", "givenName: \(first)", "sn: \(last)",
            mail.map { "mail: \($0)" }, "userPassword: \(password)", more.isEmpty ? nil : more,
        ]
        try await change(lines.compactMap { $0 }.joined(separator: "\n"))
    }

    public func remove(_ user: String) async throws {
        try await change("dn: uid=\(user),\(Slapd.people)\nchangetype: delete")
    }

    public func rename(_ user: String, to name: String) async throws {
        try await change(
            "dn: uid=\(user),\(Slapd.people)\nchangetype: modrdn\nnewrdn: uid=\(name)\ndeleteoldrdn: 1"
        )
    }

    /// Applies changes in LDIF (RFC 2849).
    public func change(_ changes: String) async throws {
        let file = directory + "/changes"
        try (changes + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        _ = try await output(
            of: "ldapmodify",
            ["-x", "-H", url, "-D", Slapd.administrator, "-w", "administrator", "-f", file])
    }
}
