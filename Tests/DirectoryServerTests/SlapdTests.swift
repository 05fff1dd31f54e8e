import Directory
import TestServers
import Testing

/// With a real directory.
@Suite(.timeLimit(.minutes(2))) struct SlapdTests {
    private static func settings(
        _ slapd: Slapd, bind: Bool = false, account: Bool = true
    ) throws -> DirectorySettings {
        var settings = DirectorySettings(
            server: try #require(DirectoryServer(slapd.url)), base: Slapd.people,
            bind: bind ? DirectoryPattern("uid={user},\(Slapd.people)", .name) : nil,
            filter: try #require(DirectoryPattern("(uid={user})", .filter)))
        if account {
            settings.account = .init(
                name: Slapd.reader, password: Array(Slapd.readersPassword.utf8))
        }
        settings.timeLimit = .seconds(25)
        return settings
    }

    private static func ask(
        _ settings: DirectorySettings, _ user: String, _ password: String
    ) throws -> DirectoryEntry? {
        try DirectoryClient(settings).authenticate(user, password: Array(password.utf8))
    }

    @Test(arguments: [true, false])
    func `Only the right user name and password return an entry`(_ binds: Bool) async throws {
        try await Slapd.run { slapd in
            try await slapd.add(
                "anna", password: "of the university", last: "Čapek", mail: "anna@example.org")
            let settings = try Self.settings(slapd, bind: binds, account: !binds)
            let entry = try #require(try Self.ask(settings, "anna", "of the university"))
            #expect(entry.user == "anna")
            #expect(
                [entry.firstName, entry.lastName, entry.mail] == [
                    "Anna", "Čapek", "anna@example.org",
                ])
            #expect(entry.id.text.hasPrefix("entryuuid="))
            #expect(try Self.ask(settings, "ANNA", "of the university") == entry)
            for (user, password) in [
                ("anna", "of the University"), ("anna", ""), ("bob", "of the university"),
                ("*", "of the university"), ("anna)(uid=*", "of the university"),
                ("anna,\(Slapd.people)", "of the university"), ("", "of the university"),
            ] {
                #expect(try Self.ask(settings, user, password) == nil, "\(user)")
            }
        }
    }

    /// A server that is slower for known users would reveal who they are.
    @Test func `A login of an unknown user makes the same queries as a known one's`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "of the university")
            let settings = try Self.settings(slapd)
            var seen = try await ended(slapd, 0)
            func operations(_ user: String) async throws -> [String] {
                let before = seen
                #expect(try Self.ask(settings, user, "a wrong one") == nil)
                seen = try await ended(slapd, before)
                let lines = try slapd.logged().dropFirst(before).split(separator: "\n")
                return lines.compactMap { line in
                    ["method=128", "SRCH base", "RESULT tag=97 err=49"].first {
                        line.contains($0)
                    }
                }
            }
            let known = try await operations("anna")
            #expect(known == ["method=128", "SRCH base", "method=128", "RESULT tag=97 err=49"])
            #expect(try await operations("nobody") == known)
            #expect(try await operations("*") == known)
        }
    }

    /// Returns the log's length once the connection that began after this length has closed.
    private func ended(_ slapd: Slapd, _ length: Int) async throws -> Int {
        let deadline = ContinuousClock.now + .seconds(25)
        while true {
            let log = try slapd.logged()
            let last = log.dropFirst(length).split(separator: "\n").last ?? ""
            if last.contains(" closed") { return log.count }
            try #require(ContinuousClock.now < deadline, "\(log)")
            try await Task.sleep(for: .milliseconds(10))
        }
    }

    @Test func `An ambiguous search is rejected`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "one", "employeeNumber: 7")
            try await slapd.add("anna2", password: "one", "employeeNumber: 7")
            var settings = try Self.settings(slapd)
            settings.filter = try #require(DirectoryPattern("(employeeNumber={user})", .filter))
            #expect(try Self.ask(settings, "7", "one") == nil)
        }
    }

    @Test func `The filter decides which users may log in`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "one", "employeeType: student")
            try await slapd.add("bob", password: "one", "employeeType: left")
            var settings = try Self.settings(slapd)
            let all = try ["anna", "bob"].compactMap { try Self.ask(settings, $0, "one")?.id }
            #expect(all.count == 2)
            settings.filter = try #require(
                DirectoryPattern("(&(uid={user})(employeeType=student))", .filter))
            #expect(try Self.ask(settings, "anna", "one") != nil)
            #expect(try Self.ask(settings, "bob", "one") == nil)
            #expect(try DirectoryClient(settings).present(among: all) == [all[0]])
        }
    }

    @Test func `An entry is recognised by its permanent id`() async throws {
        try await Slapd.run { slapd in
            for user in ["anna", "bob"] { try await slapd.add(user, password: "one") }
            let settings = try Self.settings(slapd)
            let client = DirectoryClient(settings)
            let (anna, bob) = (
                try #require(try Self.ask(settings, "anna", "one")?.id),
                try #require(try Self.ask(settings, "bob", "one")?.id)
            )
            #expect(try client.present(among: [anna, bob]) == [anna, bob])
            try await slapd.rename("anna", to: "marie")
            #expect(try Self.ask(settings, "marie", "one")?.id == anna)
            #expect(
                try client.authenticate("anna", knownAs: anna, password: Array("one".utf8))?.user
                    == "marie")
            try await slapd.remove("bob")
            // Another person has the name now.
            try await slapd.add("bob", password: "two")
            #expect(try Self.ask(settings, "bob", "two")?.id != bob)
            #expect(try client.present(among: [anna, bob]) == [anna])
        }
    }

    @Test func `Without an id attribute, an entry is recognised by its name`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("Anna", password: "one")
            var settings = try Self.settings(slapd)
            settings.attributes.id = nil
            let anna = try #require(try Self.ask(settings, "anna", "one")?.id)
            #expect(anna.text == "dn=uid=anna,\(Slapd.people)")
            let client = DirectoryClient(settings)
            #expect(try client.present(among: [anna]) == [anna])
            try await slapd.remove("Anna")
            #expect(try client.present(among: [anna]) == [])
        }
    }

    /// In a directory that was restored, or shows us nothing, no one is missing.
    @Test func `A missing base or refused account is an error and marks no user missing`()
        async throws
    {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "one")
            var settings = try Self.settings(slapd)
            let anna = try #require(try Self.ask(settings, "anna", "one")?.id)
            settings.base = "ou=students,\(Slapd.base)"
            #expect(throws: DirectoryError.baseMissing) {
                try DirectoryClient(settings).present(among: [anna])
            }
            settings = try Self.settings(slapd, account: false)
            #expect(throws: DirectoryError.self) {
                try DirectoryClient(settings).present(among: [anna])
            }
            settings.account = .init(name: Slapd.reader, password: [1])
            #expect(throws: DirectoryError.accountRefused) {
                try DirectoryClient(settings).present(among: [anna])
            }
            #expect(throws: DirectoryError.accountRefused) { try Self.ask(settings, "anna", "one") }
        }
    }

    @Test func `The probe makes a login's first queries`() async throws {
        try await Slapd.run { slapd in
            var settings = try Self.settings(slapd)
            try DirectoryClient(settings).reach()
            try DirectoryClient(try Self.settings(slapd, bind: true, account: false)).reach()
            settings.account = .init(name: Slapd.reader, password: [1])
            #expect(throws: DirectoryError.accountRefused) {
                try DirectoryClient(settings).reach()
            }
        }
    }

    @Test func `An entry without its id attribute is rejected`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "one")
            var settings = try Self.settings(slapd)
            settings.attributes.id = "employeeNumber"
            #expect(throws: DirectoryError.incomplete) { try Self.ask(settings, "anna", "one") }
        }
    }

    @Test func `A certificate must be trusted and belong to the server`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "one")
            var settings = try Self.settings(slapd)
            for (url, security) in [
                (slapd.secureURL, DirectoryServer.Security?.none), (slapd.url, .startTLS),
            ] {
                settings.server = try #require(DirectoryServer(url, security))
                #expect(throws: DirectoryError.tls) { try Self.ask(settings, "anna", "one") }
                settings.server.authorities = slapd.certificate
                #expect(try Self.ask(settings, "anna", "one") != nil)
                let other = url.replacing("127.0.0.1", with: "localhost")
                settings.server = try #require(DirectoryServer(other, security))
                settings.server.authorities = slapd.certificate
                #expect(throws: DirectoryError.tls) { try Self.ask(settings, "anna", "one") }
                settings.server = try #require(DirectoryServer(url, security))
                settings.server.authorities = "/nonexistent"
                #expect(throws: DirectoryError.tls) { try Self.ask(settings, "anna", "one") }
            }
        }
    }

    @Test func `A server without TLS is sent no password in the clear`() async throws {
        try await Slapd.run { slapd in
            try await slapd.add("anna", password: "of the university")
            var settings = try Self.settings(slapd)
            settings.server = DirectoryServer(
                host: "127.0.0.1", port: slapd.port, security: .tls,
                authorities: slapd.certificate)
            settings.timeLimit = .seconds(2)
            #expect(throws: DirectoryError.self) {
                try Self.ask(settings, "anna", "of the university")
            }
            #expect(!(try slapd.logged().contains("of the university")))
        }
    }
}
