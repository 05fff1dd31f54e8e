import Foundation
import TestBroker
import TestSupport
import Testing

/// The command line as a person uses it.
@Suite(.timeLimit(.minutes(2)))
struct CommandTests {
    @Test func `A group is created whole or not at all, and found by name while that is unique`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            func run(_ arguments: String...) async throws -> Ending {
                try await Program.run(Program.kith, arguments + ["--data", directory])
            }
            try Program.beginData(directory)
            for user in ["ann", "ben", "cleo"] {
                #expect(try await run("user", "add", user).status == 0)
            }
            let refused = try await run("group", "create", "Club", "ann", "tom", "ben", "zoe")
            #expect(refused.errors == "kith: There are no users with these names: tom, zoe.\n")
            #expect(try await run("group", "list").output == "")
            let id = try await run("group", "create", "Club", "ann", "ben", "ann").line
            #expect(try await run("group", "list").line == "\(id)\tClub\tann,ben")
            #expect(try await run("group", "add", "Club", "cleo").line == "Added cleo.")
            #expect(try await run("group", "remove", id, "ben").line == "Removed ben.")
            let other = try await run("group", "create", "Club", "ben").line
            let unclear = try await run("group", "add", "Club", "ben")
            #expect(unclear.status == 1 && unclear.errors.contains(id), "\(unclear)")
            #expect(unclear.errors.contains(other))
            #expect(try await run("group", "add", other, "cleo").status == 0)
        }
    }

    @Test(
        arguments: [
            ["fly"], ["user", "add"], ["user", "add", "Ann/B"],
            ["user", "add", "ann", "--colour", "red"], ["up", "--port", "70000"],
            ["group", "create", "Family"], ["group", "add", "Family"],
        ])
    func `Wrong usage is reported and has its own exit status`(_ arguments: [String]) async throws {
        let ending = try await Program.run(Program.kith, arguments)
        // The contract's status, or that of swift-argument-parser.
        #expect(ending.status == 2 || ending.status == 64, "\(ending)")
        #expect(ending.output.isEmpty && !ending.errors.isEmpty)
    }

    @Test(arguments: [[], ["user", "add"], ["group", "create"], ["up"], ["serve"]])
    func `Every command has help`(_ arguments: [String]) async throws {
        let help = try await Program.succeed(Program.kith, arguments + ["--help"])
        #expect(help.contains("USAGE: kith"))
    }

    @Test func `A failure is reported in one sentence, with exit status 1`() async throws {
        try await withTemporaryDirectory { directory in
            func run(_ arguments: String...) async throws -> Ending {
                try await Program.run(Program.kith, arguments + ["--data", directory])
            }
            try Program.beginData(directory)
            #expect(try await run("user", "add", "ann").status == 0)
            let refused = [
                try await run("user", "add", "ann"),
                try await run("user", "token", "nobody", "phone"),
                try await run("user", "remove", "nobody", "--yes"),
                try await run("user", "invite", "nobody"),
                try await run("user", "remove-second-factor", "nobody"),
                try await run("group", "create", "Family", "nobody"),
                try await run("group", "add", "Family", "ann"),
                try await run("group", "add", "AAAAAAAAAAAAAAAAAAAAAA", "ann"),
                // Earlier versions made such ids.
                try await Program.run(
                    Program.kith,
                    ["group", "add", "--data", directory, "--", "-AAAAAAAAAAAAAAAAAAAAA", "ann"]),
            ]
            for ending in refused {
                #expect(ending.status == 1)
                #expect(ending.complaints.count == 1 && ending.errors.hasPrefix("kith: "))
                #expect(ending.errors.hasSuffix(".\n"))
            }
        }
    }

    @Test func `A user added by the operator gets a password, but not a bad one`() async throws {
        try await withTemporaryDirectory { directory in
            func give(_ user: String, _ line: String) async throws -> Ending {
                try await Program.run(
                    "bash",
                    [
                        "-c",
                        "printf '\(line)' | '\(Program.kith)' user password \(user) "
                            + "--data '\(directory)'",
                    ], environment: ["KITH_ACCOUNTS_PASSWORD_COST": "10"])
            }
            try Program.beginData(directory)
            _ = try await Program.succeed(
                Program.kith, ["user", "add", "somebody", "--data", directory])
            let given = try await give("somebody", "correct horse\\n")
            #expect(given.status == 0 && given.line == "somebody has a password.", "\(given)")
            for (user, line) in [
                ("somebody", "short\\n"), ("somebody", "SomeBody\\n"), ("somebody", ""),
                ("nobody", "correct horse\\n"),
            ] {
                let ending = try await give(user, line)
                #expect(ending.status == 1 && ending.complaints.count == 1, "\(line): \(ending)")
                #expect(!ending.errors.contains("horse"))
            }
        }
    }

    @Test func `User import accepts a spreadsheet's table repeatedly and names bad rows`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            func run(_ arguments: String...) async throws -> Ending {
                try await Program.run(Program.kith, arguments + ["--data", directory])
            }
            try Program.beginData(directory)
            #expect(try await run("user", "add", "ann").status == 0)
            let group = try await run("group", "create", "Choir", "ann").line
            let file = directory + "/people.csv"
            let rows = (1...250).map {
                "p\($0);\"Per \"\"\($0)\"\"; son\";p\($0)@example.org;Choir"
            }
            let text =
                "\u{FEFF}User;Name;Email;Group\r\nann;Other;;Choir\r\n"
                + rows.joined(separator: "\r\n")
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let page = "https://kith.example.org"
            let first = try await run("user", "import", file, "--invite", "--page", page)
            #expect(first.status == 0, "\(first)")
            #expect(first.errors == "Users added: 250, already present: 1, rows rejected: 0.\n")
            let links = first.output.split(separator: "\n")
            #expect(links.count == 250)
            #expect(links[0].hasPrefix("p1\t\(page)/#/recover/"))
            #expect(Set(links).count == 250)
            let again = try await run("user", "import", file)
            #expect(again.errors == "Users added: 0, already present: 251, rows rejected: 0.\n")
            let users = JSON(parsing: try await run("user", "list", "--json").output)["users"]
                .elements
            #expect(users.count == 251)
            #expect(users.first { $0["user"] == "p7" }?["name"] == "Per \"7\"; son")
            #expect(users.first { $0["user"] == "ann" }?["name"] == "ann", "it stays as it was")
            let groups = JSON(parsing: try await run("group", "list", "--json").output)["groups"]
            #expect(groups.elements.first?["group"].text == group)
            #expect(groups.elements.first?["members"].elements.count == 251)

            let bad =
                "user,email,group\nq1,,\nQ 2,,\nq3,nowhere,\nq4,p1@example.org,\nq5,,Nobody\n"
                + "q1,,\nq6,,,more\n"
            try bad.write(toFile: file, atomically: true, encoding: .utf8)
            let refused = try await run("user", "import", file)
            #expect(refused.status == 1)
            let lines = refused.complaints
            #expect(lines.count == 7 && lines[6].hasPrefix("Users added: 1,"), "\(refused)")
            for (line, word) in zip(
                lines,
                [
                    "Line 3", "Line 4", "Line 5: email is taken", "Line 6",
                    "Line 7: q1 appears twice",
                    "Line 8",
                ])
            {
                #expect(line.hasPrefix(word), "\(line)")
            }
            for text in [
                "", "name\nAnn\n", "user,colour\nann,red\n", "user\n\"ann\n",
                "user,user\nann,ann\n",
            ] {
                try text.write(toFile: file, atomically: true, encoding: .utf8)
                let none = try await run("user", "import", file)
                #expect(none.status == 1 && none.complaints.count == 1, "\(text): \(none)")
            }
        }
    }

    @Test func `Users are renamed and logged out, and removed only with a yes`() async throws {
        try await withTemporaryDirectory { directory in
            func run(_ arguments: String...) async throws -> Ending {
                try await Program.run(Program.kith, arguments + ["--data", directory])
            }
            func device(_ user: String) async throws -> JSON? {
                let users = JSON(parsing: try await run("user", "list", "--json").output)["users"]
                return users.elements.first { $0["user"].text == user }
            }
            try Program.beginData(directory)
            _ = try await run("user", "add", "ann", "--name", "Ann")
            _ = try await run("user", "token", "ann", "phone")
            _ = try await run("user", "token", "ann", "watch")
            #expect(try await run("user", "rename", "ann", "Ann of Green Gables").status == 0)
            #expect(try await device("ann")?["name"] == "Ann of Green Gables")
            #expect(try await run("user", "rename", "ann", " ").status != 0)
            #expect(try await run("user", "revoke", "ann", "tablet").status == 1)
            #expect(try await run("user", "revoke", "ann", "watch").status == 0)
            let devices = try await device("ann")?["devices"].elements ?? []
            #expect(devices.map { $0["loggedIn"] } == [true, false])
            let all = try await run("user", "revoke", "ann")
            #expect(all.line == "Logged out: 1 devices of ann.")
            let unasked = try await run("user", "remove", "ann")
            #expect(unasked.status == 1 && unasked.errors.contains("--yes"), "\(unasked)")
            #expect(try await device("ann") != nil)
            #expect(try await run("user", "remove", "ann", "--yes").status == 0)
            #expect(try await device("ann") == nil)
        }
    }

    @Test func `A user's link begins with the page's address and works on no other data`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            func invite(_ arguments: [String] = [], _ settings: [String: String] = [:])
                async throws -> Ending
            {
                try await Program.run(
                    Program.kith, ["user", "invite", "ann", "--data", directory] + arguments,
                    environment: settings)
            }
            let early = try await invite()
            #expect(early.status == 1 && early.complaints.count == 1, "\(early)")
            try Program.beginData(directory)
            _ = try await Program.succeed(
                Program.kith, ["user", "add", "ann", "--data", directory])
            // The page's address is not known yet.
            let stopped = try await invite()
            #expect(stopped.status == 1 && stopped.complaints.first?.contains("web.origin") == true)
            let named = try await invite(["--page", "https://kith.example.org/"]).line
            #expect(named.hasPrefix("https://kith.example.org/#/recover/"))
            let origin = ["KITH_WEB_ORIGIN": "https://x.org"]
            #expect(try await invite([], origin).line.hasPrefix("https://x.org/#/recover/"))
            let again = try await invite(["--page", "https://kith.example.org"]).line
            #expect(again.hasPrefix("https://kith.example.org/#/recover/"))
            #expect(again.suffix(43) != named.suffix(43))
        }
    }

    @Test func `Created files are closed to others, even in an existing directory`() async throws {
        try await withTemporaryDirectory { directory in
            for (mode, expected) in [(0o755, 0o600), (0o775, 0o660)] {
                let data = "\(directory)/\(mode)"
                try FileManager.default.createDirectory(
                    atPath: data, withIntermediateDirectories: false)
                try FileManager.default.setAttributes(
                    [.posixPermissions: mode], ofItemAtPath: data)
                try Program.beginData(data)
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600], ofItemAtPath: data + "/kith.db")
                _ = try await Program.succeed(
                    Program.kith, ["user", "add", "ann", "--data", data])
                let file = data + "/kith.db"
                #expect(try permissions(of: file) == 0o600)
                // As an earlier version left it.
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o664], ofItemAtPath: file)
                _ = try await Program.succeed(
                    Program.kith, ["user", "add", "ben", "--data", data])
                #expect(try permissions(of: file) == expected)
            }
        }
    }

    private func permissions(of file: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
    }

    @Test func `A plugin, pages and a configuration in the working directory are not used`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let files = FileManager.default
            let program = directory + "/elsewhere/kith"
            for path in ["elsewhere", "here/broker-config", "here/pages"] {
                try files.createDirectory(
                    atPath: directory + "/" + path, withIntermediateDirectories: true)
            }
            try files.copyItem(atPath: Program.kith, toPath: program)
            for name in ["libKithGate.so", "broker-config/development.conf", "pages/index.html"] {
                try "plugin @GATE@\n".write(
                    toFile: directory + "/here/" + name, atomically: true, encoding: .utf8)
            }
            func run(_ command: String) async throws -> String {
                try await Program.run(
                    "bash", ["-c", "cd '\(directory)/here' && '\(program)' \(command)"]
                ).complaints.last ?? ""
            }
            func up(_ arguments: String) async throws -> String {
                try await run("up --port 1 \(arguments)")
            }
            let template = "--broker-config broker-config/development.conf"
            #expect(try await up("").hasPrefix("kith: There is no broker-config/development.conf"))
            #expect(try await up(template).hasPrefix("kith: There is no libKithGate.so"))
            // kith up runs without a page.
            #expect(try await run("web").hasPrefix("kith: There is no directory named pages"))
        }
    }

    @Test func `A token for OwnTracks is a configuration with all topics in it`() async throws {
        try await withTemporaryDirectory { directory in
            let data = ["--data", directory]
            try Program.beginData(directory)
            _ = try await Program.succeed(Program.kith, ["user", "add", "ann"] + data)
            let text = try await Program.succeed(
                Program.kith,
                ["user", "token", "ann", "phone", "--owntracks", "--host", "example.org"] + data)
            let file = JSON(parsing: text)
            #expect(file["_type"] == "configuration")
            #expect(file["host"] == "example.org")
            #expect(file["pubTopicBase"] == "owntracks/ann/phone")
            let topics = file["subTopic"].text?.split(separator: " ").map(String.init) ?? []
            for topic in ["owntracks/ann/+", "owntracks/ann/+/info", "owntracks/ann/+/event"] {
                #expect(topics.contains(topic))
            }
            #expect(file["username"] == "ann")
            let token = file["password"].text ?? ""
            #expect(token.wholeMatch(of: /ann\.phone\.[A-Za-z0-9_-]{43}/) != nil)
            let list = try await Program.succeed(Program.kith, ["user", "list"] + data)
            #expect(list == "ann\tann\tphone\t-")
            // The address for phones is not known, and no token is made.
            let unknown = try await Program.run(
                Program.kith, ["user", "token", "ann", "tablet", "--owntracks"] + data)
            #expect(unknown.status == 1 && unknown.complaints.first?.contains("--host") == true)
            #expect(unknown.output.isEmpty)
            #expect(
                try await Program.succeed(Program.kith, ["user", "list"] + data)
                    == "ann\tann\tphone\t-")
        }
    }

    @Test func `A secret given in place of its file is not printed`() async throws {
        try await withTemporaryDirectory { directory in
            let token =
                "observer:0190b6c0-0000-7000-8000-000000000000."
                + String(repeating: "A", count: 43)
            let file = directory + "/token"
            try token.write(toFile: file, atomically: true, encoding: .utf8)
            for (option, given) in [
                ("--token", ["--token", token]),
                ("--to-password", ["--token", file, "--to-password", "secret"]),
            ] {
                let ending = try await Program.run(
                    Program.kith,
                    [
                        "home-assistant", "--group", "AAAAAAAAAAAAAAAAAAAAAA",
                        "--to", "127.0.0.1:1",
                    ] + given)
                #expect(ending.status == 1)
                #expect(
                    ending.errors == "kith: The file that \(option) names cannot be read.\n")
            }
        }
    }
}
