import Foundation
import LocalBroker
import TestBroker
import TestSupport
import Testing

/// Errors shown to the person who started Kith when no broker can run.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct BrokerErrorTests {
    @Test func `A taken port is reported in one sentence, with the remedy`() async throws {
        try await withBroker { other in
            let sentence = try await sentence { $0.port = other.port }
            #expect(
                sentence == """
                    Port \(other.port) is taken, perhaps by Debian's own mosquitto: stop it with \
                    'systemctl disable --now mosquitto', or choose another with --port.
                    """)
        }
    }

    @Test func `A missing Mosquitto is reported in one sentence, with the remedy`() async throws {
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

    @Test func `A data directory that cannot be created is named`() async throws {
        let sentence = try await sentence { $0.dataDirectory = "/proc/nowhere" }
        #expect(sentence.hasPrefix("The broker needs /proc/nowhere, which cannot be used: "))
    }

    @Test func `Mosquitto's own complaints are passed on`() async throws {
        let sentence = try await sentence(template: "user root\nnonsense true\n") { _ in }
        let start = """
            Mosquitto ended immediately after starting: \
            Error: Unknown configuration variable "nonsense".
            """
        #expect(sentence.hasPrefix(start))
        #expect(sentence.hasSuffix("/data/mosquitto.conf:2. (exit status 3)"))
    }

    @Test(.enabled(if: geteuid() == 0, "only root is in danger"))
    func `Root is refused when the configuration names no user`() async throws {
        let sentence = try await sentence(template: "listener @PORT@ 127.0.0.1\n") { _ in }
        #expect(sentence.hasPrefix("If root starts Mosquitto, it runs as the user mosquitto"))
    }

    @Test func `A Mosquitto that accepts no connections is stopped and restarted`() async throws {
        try await withTemporaryDirectory { directory in
            try writeIdleMosquitto(in: directory)
            var settings = try brokerSettings(in: directory)
            settings.executableDirectories = [directory]
            settings.mostPreparation = .milliseconds(500)
            let broker = LocalBroker(settings, logger: .silent)
            let run = Task { try await broker.run() }
            var first: Int32?
            try await eventually("a second start") {
                let process = try? String(contentsOfFile: directory + "/process", encoding: .utf8)
                first = first ?? process.flatMap { Int32($0.dropLast()) }
                let now = process.flatMap { Int32($0.dropLast()) }
                return first != nil && now != nil && now != first ? true : nil
            }
            #expect(!isAlive(try #require(first)))
            #expect(broker.processIdentifier == nil)
            run.cancel()
            try await run.value
        }
    }

    @Test func `A foreign broker on the port is not mistaken for our own`() async throws {
        try await withTemporaryDirectory { directory in
            try writeIdleMosquitto(in: directory)
            var settings = try brokerSettings(in: directory)
            settings.executableDirectories = [directory]
            settings.mostPreparation = .seconds(5)
            let broker = LocalBroker(settings, logger: .silent)
            let run = Task { try await broker.run() }
            try await eventually("a start") {
                FileManager.default.fileExists(atPath: directory + "/process") ? true : nil
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

    /// A `mosquitto` that listens nowhere and records its process identifier.
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
