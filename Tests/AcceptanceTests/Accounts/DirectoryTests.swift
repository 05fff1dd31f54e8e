import Browser
import Foundation
import GRDB
import Synchronization
import TestBroker
import TestServers
import TestSupport
import Testing

extension Slapd {
    /// With which `kith` queries it.
    nonisolated var settings: [String: String] {
        [
            "KITH_LOGIN_LDAP_URL": secureURL, "KITH_LOGIN_LDAP_AUTHORITIES": certificate,
            "KITH_LOGIN_LDAP_BASE": Slapd.people, "KITH_LOGIN_LDAP_ACCOUNT": Slapd.reader,
            "KITH_LOGIN_LDAP_PASSWORD_FILE": passwordFile,
        ]
    }
}

/// Logging in with an organisation's credentials, as people meet it.
@Suite(.timeLimit(.minutes(3)))
struct DirectoryTests {
    private static let password = "of the university"

    private func ask(
        _ installation: Installation, _ method: String, _ payload: String
    ) async throws -> JSON {
        let guest = UUID().uuidString
        let reply = try await Program.succeed(
            "mosquitto_rr",
            [
                "-p", "\(installation.port)", "-V", "5", "-q", "1", "-W", "25", "-i", guest,
                "-t", "kith/guests/\(guest)/requests/\(method)",
                "-e", "kith/guests/\(guest)/replies", "-m", payload,
            ])
        return JSON(parsing: reply)
    }

    private func logIn(
        _ installation: Installation, _ user: String, _ password: String = password,
        device: String = "phone"
    ) async throws -> JSON {
        try await ask(
            installation, "account.login",
            #"{"login":"\#(user)","password":"\#(password)","device":"\#(device)"}"#)
    }

    private func status(of reply: JSON) -> String? {
        reply["problem"]["type"].text.map { String($0.dropFirst("urn:kith:problem:".count)) }
    }

    @Test func `A visitor logs in with the university's credentials`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add(
                "anna.čapek", password: Self.password, last: "Čapek", mail: "anna@example.org")
            try await withWebsite(slapd.settings) { site in
                try await site.register("ann")
                let page = try await site.open(width: 360, height: 740)
                page.visitor.tolerate { $0.source == .network }
                try await page.type(into: .field("User name or email"), "anna.čapek")
                try await page.type(into: .field("Password"), "a wrong one")
                try await page.click(.button("Log in"))
                try await page.sees("The user name or the password is wrong.")
                try await page.picture("directory-wrong-360")
                try await site.logIn("anna.čapek", Self.password, on: page)
                try await page.visit("Me")
                try await page.sees("Anna Čapek")
                try await page.sees("@anna-capek")
                try await page.click(.disclosure("Change password"))
                try await page.sees("your organisation's password")
                #expect(try await !page.has(.field("New password")))
                try await page.picture("directory-account-360")

                // While it is down that is reported; logged-in users stay so, and local accounts
                // are admitted.
                await slapd.stop()
                let other = try await site.open()
                other.visitor.tolerate { $0.source == .network }
                try await other.type(into: .field("User name or email"), "anna.čapek")
                try await other.type(into: .field("Password"), Self.password)
                try await other.click(.button("Log in"))
                try await other.sees("Your organisation's directory does not answer")
                try await other.picture("directory-down")
                try await site.logIn("ann", Website.password, on: other)
                try await page.visit("People")
                try await page.visit("Me")
                try await page.sees("@anna-capek")

                try await slapd.start()
                try await page.click(.disclosure("Delete my account"))
                try await page.type(into: .field("Your user name"), "anna-capek")
                try await page.type(into: .field("Your password"), "a wrong one")
                try await page.click(.button("Delete everything"))
                try await page.sees("Wrong password")
                try await page.type(into: .field("Your password"), Self.password)
                try await page.click(.button("Delete everything"))
                try await page.sees("Your account was deleted")
                let log = await site.installation.log
                #expect(
                    log.contains { $0.contains("The directory cannot check passwords") })
                #expect(log.contains { $0.contains("The directory answers again") })
                for secret in [Self.password, "a wrong one", "čapek", Slapd.readersPassword] {
                    #expect(!log.contains { $0.contains(secret) }, "\(secret)")
                }
            }
        }
    }

    @Test func `A hanging directory delays no one with a password of this service`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: Self.password)
            let settings = slapd.settings.merging(["KITH_LOGIN_LDAP_TIMEOUT": "10"]) { $1 }
            try await withInstallation(settings) { installation in
                try await installation.start()
                let registered = try await ask(
                    installation, "account.register",
                    #"{"username":"ben","email":"ben@example.org","password":"correct horse","firstName":"Ben","lastName":"Lake","acceptTerms":true}"#
                )
                try #require(registered["result"]["user"] == "ben", "\(registered)")
                #expect(try await logIn(installation, "anna")["result"]["user"] == "anna")
                await slapd.hang()
                let answers = Answers()
                async let hanging = answers.note(
                    logIn(installation, "anna", device: "tablet"))
                async let stranger = answers.note(
                    logIn(installation, "nobody", device: "tablet"))
                #expect(
                    try await logIn(installation, "ben", "correct horse")["result"]["user"] == "ben"
                )
                #expect(answers.count == 0, "Ben waited for the directory")
                #expect(status(of: try await hanging) == "directory-unreachable")
                #expect(status(of: try await stranger) == "directory-unreachable")
                await slapd.goOn()
                #expect(try await logIn(installation, "anna")["result"]["user"] == "anna")
            }
        }
    }

    /// Both for users who are in the directory and for those who are not.
    @Test func `A directory password is not stored, and a stranger gets the same reply`()
        async throws
    {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: Self.password)
            try await withInstallation(slapd.settings) { installation in
                try await installation.start()
                let (known, stranger) = (
                    try await logIn(installation, "anna", "a wrong one"),
                    try await logIn(installation, "nobody", "a wrong one")
                )
                #expect(status(of: known) == "wrong-credentials")
                for member in ["type", "title", "status", "detail"] {
                    #expect(known["problem"][member] == stranger["problem"][member])
                }
                #expect(try await logIn(installation, "anna")["result"]["user"] == "anna")
                for file in ["kith.db", "kith.db-wal"] {
                    let data = try Data(
                        contentsOf: URL(fileURLWithPath: "\(installation.directory)/\(file)"))
                    #expect(data.range(of: Data(Self.password.utf8)) == nil)
                }
                let hash = try await installation.database().read { database in
                    try String.fetchOne(
                        database, sql: "SELECT password_hash FROM users WHERE name = 'anna'")
                }
                #expect(hash == nil)
            }
        }
    }

    /// Periods of a day and of an hour are set forward in the database.
    @Test func `A user who leaves the university loses the token and the connection`() async throws
    {
        try await Slapd.run { slapd in
            for user in ["anna", "ben"] { try await slapd.add(user, password: Self.password) }
            try await withInstallation(slapd.settings) { installation in
                try await installation.start()
                var tokens: [String: String] = [:]
                for user in ["anna", "ben"] {
                    tokens[user] = try await logIn(installation, user)["result"]["token"].text
                }
                try await slapd.remove("anna")
                await installation.crash()
                try await DatabaseQueue(path: installation.directory + "/kith.db").write {
                    database in
                    try database.execute(
                        sql: "UPDATE directory_accounts SET missed = 1, due_at_ms = 0")
                }
                try await installation.start()
                func works(_ user: String) async throws -> Bool {
                    let token = try #require(tokens[user])
                    return try await Program.run(
                        "mosquitto_pub",
                        [
                            "-p", "\(installation.port)", "-u", user, "-P", token, "-q", "1", "-n",
                            "-t", Topic.fix(user),
                        ]
                    ).status == 0
                }
                _ = try await eventually("a token that does not work") {
                    try await works("anna") ? nil : true
                }
                #expect(try await works("ben"))
                #expect(status(of: try await logIn(installation, "anna")) == "wrong-credentials")
                _ = try await eventually("a word to the operator") {
                    await installation.log.contains { $0.contains("were logged out") } ? true : nil
                }
                let log = await installation.log
                #expect(!log.contains { $0.contains("anna") })
                let users = try await installation.kith("user", "list")
                #expect(users.contains("anna"))
            }
        }
    }
}

/// The example in the documents, with a test directory in place of the one named there.
@Suite(.timeLimit(.minutes(2)))
struct DirectoryExampleTests {
    @Test func `The documented configuration admits users`() async throws {
        let blocks = try Document("docs/ldap.md").blocks.filter { $0.language == "yaml" }
        let example = try #require(blocks.first?.text)
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "of the university")
            try await withInstallation { installation in
                let text =
                    example
                    .replacing("ldaps://ldap.example.org", with: slapd.secureURL)
                    .replacing("/etc/kith/directory-password", with: slapd.passwordFile)
                    + "    authorities: \(slapd.certificate)\n"
                try text.write(
                    toFile: installation.directory + "/kith.yaml", atomically: true, encoding: .utf8
                )
                try await installation.kith("check-config")
                try await installation.start()
                let reply = try await Program.succeed(
                    "mosquitto_rr",
                    [
                        "-p", "\(installation.port)", "-V", "5", "-q", "1", "-W", "25", "-i",
                        "guest7",
                        "-t", "kith/guests/guest7/requests/account.login",
                        "-e", "kith/guests/guest7/replies", "-m",
                        #"{"login":"anna","password":"of the university","device":"phone"}"#,
                    ])
                #expect(JSON(parsing: reply)["result"]["user"] == "anna", "\(reply)")
            }
        }
    }
}

/// Counts replies that have arrived.
private final class Answers: Sendable {
    private let counted = Mutex(0)

    var count: Int { counted.withLock { $0 } }

    func note(_ reply: JSON) -> JSON {
        counted.withLock { $0 += 1 }
        return reply
    }
}
