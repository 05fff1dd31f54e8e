import Foundation
import LocalBroker
import MQTT
import TestBroker
import TestFiles
import Testing

@Suite(.serialized, .timeLimit(.minutes(1)))
struct LocalBrokerTests {
    @Test func `It accepts connections when it says so, and is gone when its task has ended`()
        async throws
    {
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

    @Test func `It is started again when it was killed`() async throws {
        try await withRunningBroker { broker, _ in
            let first = try #require(broker.processIdentifier)
            kill(first, SIGKILL)
            try await eventually { broker.processIdentifier.map { $0 != first } ?? false }
            try await broker.waitUntilReady()
            #expect(!isAlive(first))
        }
    }

    @Test
    func `A mosquitto that hangs is killed and started again, and one that works is left alone`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            var settings = try brokerSettings(in: directory)
            (settings.pulse, settings.mostSilence) = (.milliseconds(50), .seconds(2))
            try await withRunningBroker(settings) { broker, _ in
                let first = try #require(broker.processIdentifier)
                try await Task.sleep(for: .milliseconds(500))
                #expect(broker.processIdentifier == first)
                kill(first, SIGSTOP)
                try await eventually { broker.processIdentifier.map { $0 != first } ?? false }
                #expect(!isAlive(first))
            }
        }
    }

    @Test func `What was published just before its end is there at its next start`()
        async throws
    {
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

    @Test func `A free port is one that it can be started on`() async throws {
        try await withTemporaryDirectory { directory in
            let port = try LocalBroker.freePort()
            try await withRunningBroker(brokerSettings(in: directory, port: port)) { broker, _ in
                #expect(broker.settings.port == port)
            }
        }
    }

    @Test func `An interrupt from the terminal does not reach it before its owner ends it`()
        async throws
    {
        try await withRunningBroker { broker, _ in
            let process = try #require(broker.processIdentifier)
            #expect(getpgid(process) == process)
            #expect(getpgid(process) != getpgrp())
        }
    }

    @Test func `One that does not end when asked to is made to`() async throws {
        try await withTemporaryDirectory { directory in
            var settings = try brokerSettings(in: directory)
            settings.patience = .milliseconds(300)
            try await withRunningBroker(settings) { broker, end in
                let process = try #require(broker.processIdentifier)
                kill(process, SIGSTOP)
                let start = ContinuousClock.now
                try await end()
                #expect(!isAlive(process))
                #expect(ContinuousClock.now - start < .seconds(5))
            }
        }
    }

    @Test func `It does not outlive an owner that was killed`() async throws {
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
            try await eventually { !isAlive(process) }

            try await withRunningBroker(brokerSettings(in: directory, port: port)) { _, _ in
                let message = try retained(at: port)
                #expect(message == Array("kept".utf8), "it was not ended gently")
            }
        }
    }
}
