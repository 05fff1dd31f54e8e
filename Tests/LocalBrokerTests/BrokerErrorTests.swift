import Foundation
import LocalBroker
import TestBroker
import TestFiles
import Testing

/// What the person who started Kith reads when there can be no broker.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct BrokerErrorTests {
    @Test func `A taken port is said in one sentence, with the way out`() async throws {
        try await withBroker { other in
            let sentence = try await sentence { $0.port = other.port }
            #expect(
                sentence == """
                    Port \(other.port) is taken, perhaps by Debian's own mosquitto: stop it with \
                    'systemctl disable --now mosquitto', or choose another with --port.
                    """)
        }
    }

    @Test func `A missing Mosquitto is said in one sentence, with the way out`() async throws {
        let sentence = try await sentence { $0.executableDirectories = ["/nowhere"] }
        #expect(sentence == "Mosquitto is not installed: apt-get install mosquitto")
    }

    @Test func `A missing template is named`() async throws {
        let sentence = try await sentence { $0.template = "/nowhere/mosquitto.conf" }
        #expect(
            sentence == """
                The broker needs /nowhere/mosquitto.conf, which cannot be used: \
                there is no such file.
                """)
    }

    @Test func `A data directory that cannot be made is named`() async throws {
        let sentence = try await sentence { $0.dataDirectory = "/proc/nowhere" }
        #expect(sentence.hasPrefix("The broker needs /proc/nowhere, which cannot be used: "))
    }

    @Test func `What Mosquitto itself complains about is passed on`() async throws {
        let sentence = try await sentence(template: "user root\nnonsense true\n") { _ in }
        let start = """
            Mosquitto ended as soon as it was started: \
            Error: Unknown configuration variable "nonsense".
            """
        #expect(sentence.hasPrefix(start))
        #expect(sentence.hasSuffix("/data/mosquitto.conf:2. (exit status 3)"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root is in danger"))
    func `Root is told to be somebody else, where the configuration does not say so`() async throws
    {
        let sentence = try await sentence(template: "listener @PORT@ 127.0.0.1\n") { _ in }
        #expect(sentence.hasPrefix("If root starts Mosquitto, it runs as the user mosquitto"))
    }

    @Test func `A mosquitto that does not accept connections is ended, and started again`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            try writeIdleMosquitto(in: directory)
            var settings = try brokerSettings(in: directory)
            settings.executableDirectories = [directory]
            settings.mostPreparation = .milliseconds(500)
            let broker = LocalBroker(settings, logger: .silent)
            let run = Task { try await broker.run() }
            var first: Int32?
            try await eventually {
                let process = try? String(contentsOfFile: directory + "/process", encoding: .utf8)
                first = first ?? process.flatMap { Int32($0.dropLast()) }
                let now = process.flatMap { Int32($0.dropLast()) }
                return first != nil && now != nil && now != first
            }
            #expect(!isAlive(try #require(first)))
            #expect(broker.processIdentifier == nil)
            run.cancel()
            try await run.value
        }
    }

    @Test func `Somebody else's broker on the port is not taken for ours`() async throws {
        try await withTemporaryDirectory { directory in
            try writeIdleMosquitto(in: directory)
            var settings = try brokerSettings(in: directory)
            settings.executableDirectories = [directory]
            settings.mostPreparation = .seconds(5)
            let broker = LocalBroker(settings, logger: .silent)
            let run = Task { try await broker.run() }
            try await eventually {
                FileManager.default.fileExists(atPath: directory + "/process")
            }
            try await withTemporaryDirectory { other in
                try await withRunningBroker(
                    brokerSettings(in: other, port: settings.port)
                ) { _, _ in
                    // The next try finds it on the port.
                    let taken = BrokerError.portTaken(settings.port)
                    await #expect(throws: taken) { try await broker.waitUntilReady() }
                    await #expect(throws: taken) { try await run.value }
                }
            }
        }
    }

    /// A `mosquitto` that listens nowhere and notes its process identifier.
    ///
    /// Another process writes it: a program that this one has open for writing, or a child that
    /// it is just starting for another test, cannot be run.
    private func writeIdleMosquitto(in directory: String) throws {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = [
            "-c", #"cd "$0" && printf '#!/bin/sh\n%s\n' "$1" >mosquitto && chmod 700 mosquitto"#,
            directory, "echo $$ >\(directory)/process; exec sleep 60",
        ]
        try shell.run()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
    }

    /// What both `run()` and `waitUntilReady()` throw.
    private func sentence(
        template: String? = nil, _ change: (inout BrokerSettings) -> Void
    ) async throws -> String {
        try await withTemporaryDirectory { directory in
            var settings = try brokerSettings(in: directory)
            if let template {
                settings.template = directory + "/template"
                try template.write(toFile: settings.template, atomically: true, encoding: .utf8)
            }
            change(&settings)
            let broker = LocalBroker(settings, logger: .silent)
            let error = try #require(
                await #expect(throws: BrokerError.self) { try await broker.run() })
            await #expect(throws: error) { try await broker.waitUntilReady() }
            #expect(broker.processIdentifier == nil)
            return error.description
        }
    }
}
