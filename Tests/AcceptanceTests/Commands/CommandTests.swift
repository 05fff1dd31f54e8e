import Foundation
import TestBroker
import TestJSON
import Testing

/// The command line as a person meets it.
@Suite(.timeLimit(.minutes(2)))
struct CommandTests {
    @Test func `A configuration is checked: good, bad, with a key that nobody knows, not there`()
        async throws
    {
        let cases: [(text: String, isGood: Bool, words: [String])] = [
            ("tracking:\n  offlineAfter: 90\n", true, []),
            ("tracking:\n  offlineAfter: soon\n", false, ["tracking.offlineAfter", "seconds"]),
            ("broker:\n  port: 70000\n", false, ["broker.port", "65535"]),
            ("tracking:\n  offLineAfter: 90\n", false, ["tracking.offLineAfter", "nobody knows"]),
            ("- [", false, ["not YAML"]),
            ("broker:\n  clientId: kith:bridge.2\n", true, []),
            ("broker:\n  clientId: bridge\n", false, ["broker.clientId", "kith:bridge."]),
            ("broker:\n  clientId: kith:bridge.\n", false, ["broker.clientId"]),
        ]
        try await withTemporaryDirectory { directory in
            let file = directory + "/kith.yaml"
            for (text, isGood, words) in cases {
                try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                let ending = try await Program.run(
                    Program.kith, ["check-config", "--data", directory])
                #expect((ending.status == 0) == isGood, "\(text): \(ending)")
                #expect(ending.errors.isEmpty == isGood, "\(ending)")
                for word in words {
                    #expect(ending.complaints.first?.contains(word) == true, "\(ending)")
                }
            }
            let missing = try await Program.run(
                Program.kith, ["check-config", "--config", directory + "/no.yaml"])
            #expect(missing.complaints.first?.contains("There is no file") == true)
        }
    }

    @Test(
        arguments: [
            ["fly"], ["user", "add"], ["user", "add", "Ann/B"],
            ["user", "add", "ann", "--colour", "red"], ["up", "--port", "70000"],
            ["group", "create", "Family"], ["group", "add", "x", "ann"],
        ])
    func `Wrong usage is told and has an exit status of its own`(_ arguments: [String]) async throws
    {
        let ending = try await Program.run(Program.kith, arguments)
        // The contract's, or the one that swift-argument-parser has.
        #expect(ending.status == 2 || ending.status == 64, "\(ending)")
        #expect(ending.output.isEmpty && !ending.errors.isEmpty)
    }

    @Test(arguments: [[], ["user", "add"], ["group", "create"], ["up"], ["serve"]])
    func `Help is given for everything`(_ arguments: [String]) async throws {
        let help = try await Program.succeed(Program.kith, arguments + ["--help"])
        #expect(help.contains("USAGE: kith"))
    }

    @Test func `What cannot be done is told in one sentence, with exit status 1`() async throws {
        try await withTemporaryDirectory { directory in
            func run(_ arguments: String...) async throws -> Ending {
                try await Program.run(Program.kith, arguments + ["--data", directory])
            }
            #expect(try await run("user", "add", "ann").status == 0)
            let refused = [
                try await run("user", "add", "ann"),
                try await run("user", "token", "nobody", "phone"),
                try await run("user", "remove", "nobody"),
                try await run("group", "create", "Family", "nobody"),
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

    @Test func `A token for OwnTracks is a configuration with all topics in it`() async throws {
        try await withTemporaryDirectory { directory in
            let data = ["--data", directory]
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
            #expect(list == "ann\tann\tphone")
        }
    }
}
