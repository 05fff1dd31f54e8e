import Foundation
import LocalBroker
import MQTT
import TestBroker
import TestSupport
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct LocalBrokerTests {
    @Test func `A ready broker accepts connections, and ends with its task`() async throws {
        try await withRunningBroker { broker, end in
            let process = try #require(broker.processIdentifier)
            #expect(isAlive(process))
            let connection = try Connection(
                ConnectionOptions(port: Int32(broker.settings.port), clientID: "c"))
            try connection.connect()
            try await end()
            #expect(!isAlive(process))
        }
    }

    @Test func `A killed broker is restarted`() async throws {
        try await withRunningBroker { broker, _ in
            let first = try #require(broker.processIdentifier)
            kill(first, SIGKILL)
            try await eventually("a new broker") {
                broker.processIdentifier.map { $0 == first } == false ? true : nil
            }
            try await broker.waitUntilReady()
            #expect(!isAlive(first))
        }
    }

    @Test func `A hanging Mosquitto is killed and restarted, a working one is left alone`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            var settings = try brokerSettings(in: directory)
            (settings.pulse, settings.mostSilence) = (.milliseconds(50), .seconds(5))
            try await withRunningBroker(settings) { broker, _ in
                let first = try #require(broker.processIdentifier)
                try await Task.sleep(for: .milliseconds(500))
                #expect(broker.processIdentifier == first)
                kill(first, SIGSTOP)
                try await eventually("a new broker") {
                    broker.processIdentifier.map { $0 == first } == false ? true : nil
                }
                #expect(!isAlive(first))
            }
        }
    }

    @Test func `Messages published just before shutdown survive a restart`() async throws {
        try await withTemporaryDirectory { directory in
            let settings = try brokerSettings(in: directory)
            try await withRunningBroker(settings) { _, _ in
                try publishRetained(at: settings.port)
            }
            try await withRunningBroker(settings) { _, _ in
                let message = try retained(at: settings.port)
                #expect(message == Array("kept".utf8))
            }
        }
    }

    @Test func `The broker starts on a free port`() async throws {
        try await withTemporaryDirectory { directory in
            let port = try LocalBroker.freePort()
            try await withRunningBroker(brokerSettings(in: directory, port: port)) { broker, _ in
                #expect(broker.settings.port == port)
            }
        }
    }

    @Test func `A terminal interrupt does not reach the broker before its owner stops it`()
        async throws
    {
        try await withRunningBroker { broker, _ in
            let process = try #require(broker.processIdentifier)
            #expect(getpgid(process) == process)
            #expect(getpgid(process) != getpgrp())
        }
    }

    @Test func `A broker that ignores its stop request is killed`() async throws {
        try await withTemporaryDirectory { directory in
            var settings = try brokerSettings(in: directory)
            let usual = settings.patience
            settings.patience = .milliseconds(300)
            try await withRunningBroker(settings) { broker, end in
                let process = try #require(broker.processIdentifier)
                kill(process, SIGSTOP)
                let start = ContinuousClock.now
                try await end()
                #expect(!isAlive(process))
                #expect(ContinuousClock.now - start < usual)
            }
        }
    }

    @Test func `The broker does not outlive a killed owner`() async throws {
        try await withTemporaryDirectory { directory in
            let port = try reservePort()
            await #expect(processExitsWith: .signal(SIGKILL)) {
                [directory = directory as String, port = port as UInt16] in
                let broker = try LocalBroker(
                    brokerSettings(in: directory, port: port), logger: .silent)
                let run = Task { try await broker.run() }
                try await broker.waitUntilReady()
                try #require(broker.processIdentifier).description.write(
                    toFile: directory + "/process", atomically: true, encoding: .utf8)
                try publishRetained(at: port)
                kill(getpid(), SIGKILL)
                try await run.value
            }
            let process = try #require(
                Int32(String(contentsOfFile: directory + "/process", encoding: .utf8)))
            try await eventually("its end") { isAlive(process) ? nil : true }

            try await withRunningBroker(brokerSettings(in: directory, port: port)) { _, _ in
                let message = try retained(at: port)
                #expect(message == Array("kept".utf8), "it was not ended gently")
            }
        }
    }
}
