import Foundation
import LocalBroker
import TestBroker
import TestSupport
import Testing

/// A Mosquitto whose owner was killed.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct OrphanTests {
    /// Runs `body` with a Mosquitto whose owner was killed, along with the owner's watcher.
    private func withOrphan(
        in directory: String,
        _ body: (_ settings: BrokerSettings, _ process: Int32) async throws -> Void
    ) async throws {
        let port = try reservePort()
        await #expect(processExitsWith: .signal(SIGKILL)) {
            [directory = directory as String, port = port as UInt16] in
            let broker = try LocalBroker(
                brokerSettings(in: directory, port: port), logger: .silent)
            let run = Task { try await broker.run() }
            try await broker.waitUntilReady()
            let process = try #require(broker.processIdentifier)
            try process.description.write(
                toFile: directory + "/process", atomically: true, encoding: .utf8)
            try publishRetained(at: port)
            for name in try FileManager.default.contentsOfDirectory(atPath: "/proc") {
                guard let other = Int32(name), other != process, getpgid(other) == process
                else { continue }
                kill(other, SIGKILL)
            }
            kill(getpid(), SIGKILL)
            try await run.value
        }
        let process = try #require(
            Int32(String(contentsOfFile: directory + "/process", encoding: .utf8)))
        defer { if isAlive(process) { kill(process, SIGKILL) } }
        try await body(brokerSettings(in: directory, port: port), process)
    }

    @Test func `The next owner stops an orphan cleanly and gets its saved state`() async throws {
        try await withTemporaryDirectory { directory in
            try await withOrphan(in: directory) { settings, process in
                #expect(isAlive(process))
                try await withRunningBroker(settings) { broker, _ in
                    #expect(!isAlive(process))
                    #expect(broker.processIdentifier != process)
                    let message = try retained(at: settings.port)
                    #expect(message == Array("kept".utf8))
                }
            }
        }
    }

    @Test func `An orphan that ignores its stop request is killed`() async throws {
        try await withTemporaryDirectory { directory in
            try await withOrphan(in: directory) { settings, process in
                var settings = settings
                settings.patience = .seconds(2)
                kill(process, SIGSTOP)
                try await withRunningBroker(settings) { _, _ in #expect(!isAlive(process)) }
            }
        }
    }

    @Test func `The broker of a living owner is left alone`() async throws {
        try await withTemporaryDirectory { directory in
            let settings = try brokerSettings(in: directory)
            try await withRunningBroker(settings) { broker, _ in
                let process = try #require(broker.processIdentifier)
                for port in [settings.port, try reservePort()] {
                    var other = settings
                    other.port = port
                    let second = LocalBroker(other, logger: .silent)
                    let isItsPort = port == settings.port
                    // The directory is also locked.
                    if !isItsPort {
                        try FileManager.default.removeItem(
                            atPath: settings.dataDirectory + "/owner.lock")
                    }
                    let words = isItsPort ? "Port \(port) is taken" : "another Kith is using it"
                    do {
                        try await second.run()
                        Issue.record("a second one runs")
                    } catch {
                        #expect("\(error)".contains(words))
                    }
                }
                #expect(isAlive(process))
            }
        }
    }
}
