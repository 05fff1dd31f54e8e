import Foundation
import LocalBroker
import Logging
import MQTT
import TestBroker
import TestSupport
import Testing

extension Logger {
    static let silent = Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() }
}

/// - Parameter port: nil for one reserved until the tests end.
func brokerSettings(in directory: String, port: UInt16? = nil) throws -> BrokerSettings {
    BrokerSettings(
        template: try TestBroker.writeTemplate(in: directory),
        dataDirectory: directory + "/data", port: try port ?? reservePort())
}

/// Runs `body` with a broker that is ready, and cancels it after that.
///
/// - Parameter body: receives the broker, and what cancels it early and waits for its end.
func withRunningBroker(
    _ settings: BrokerSettings,
    _ body: (LocalBroker, _ end: () async throws -> Void) async throws -> Void
) async throws {
    let broker = LocalBroker(settings, logger: .silent)
    let run = Task { try await broker.run() }
    let end = {
        run.cancel()
        try await run.value
    }
    do {
        try await broker.waitUntilReady()
        try await body(broker, end)
    } catch {
        try await end()
        throw error
    }
    try await end()
}

/// The same in a directory of its own.
func withRunningBroker(
    _ body: (LocalBroker, _ end: () async throws -> Void) async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        try await withRunningBroker(brokerSettings(in: directory), body)
    }
}

/// Whether the process runs; a zombie does not.
func isAlive(_ process: Int32) -> Bool {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
        return false
    }
    return !status.contains(") Z ")
}

/// Returns when the broker has confirmed it.
func publishRetained(at port: UInt16) throws {
    let connection = try connect("publisher", port)
    try connection.publish(
        topic: "kept", payload: Array("kept".utf8), qos: .atLeastOnce, retain: true)
    while !connection.takeEvents().contains(where: {
        if case .confirmed = $0 { true } else { false }
    }
    ) {
        try connection.release()
        try connection.wait(atMost: 10_000)
        _ = connection.receive(atMost: 1)
    }
}

/// - Returns: nil if none arrives in time.
func retained(at port: UInt16) throws -> [UInt8]? {
    let connection = try connect("reader", port)
    try connection.subscribe(to: ["kept"])
    try connection.release()
    let deadline = ContinuousClock.now + patience
    while ContinuousClock.now < deadline {
        try connection.wait(atMost: 100)
        if let message = connection.receive(atMost: 1).first { return message.payload }
    }
    return nil
}

private func connect(_ id: String, _ port: UInt16) throws -> Connection {
    let connection = try Connection(ConnectionOptions(port: Int32(port), clientID: id))
    try connection.connect()
    return connection
}
