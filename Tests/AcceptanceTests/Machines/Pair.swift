import Foundation
import TestSupport
import Testing

/// Two bridges on one database, each with a data directory of its own.
final class Pair {
    let installation: Installation
    private let machines: [(directory: String, environment: [String: String])]
    private(set) var bridges: [RunningProgram] = []

    /// - Parameter other: the second machine's, if it has a broker too.
    init(_ installation: Installation, _ other: Installation? = nil) async throws {
        self.installation = installation
        let brokers = [installation, other].compactMap { $0?.port }
            .map { "mqtt://127.0.0.1:\($0)" }.joined(separator: ",")
        let several = other == nil ? [:] : ["KITH_BROKERS": brokers]
        machines = [
            (installation.directory, installation.environment.merging(several) { $1 }),
            (
                other?.directory ?? installation.directory + "-2",
                (other ?? installation).environment.merging(several) { $1 }
            ),
        ]
        // The first start makes the tokens and keys, which all machines have.
        try await installation.kith("user", "list")
        launch(0)
        try await says("Connected to the broker.", bridge: 0)
        for name in ["tokens", "keys"] {
            try FileManager.default.createDirectory(
                atPath: machines[1].directory, withIntermediateDirectories: true)
            try FileManager.default.copyItem(
                atPath: machines[0].directory + "/" + name,
                toPath: machines[1].directory + "/" + name)
        }
        launch(1)
        try await says("standing by", bridge: 1)
        if let other {
            try await says("\(other.port)", bridge: 0) { $0.contains("Connected to the broker.") }
        }
    }

    func launch(_ index: Int) {
        let bridge = RunningProgram(
            Program.kith, ["serve", "--data", machines[index].directory],
            environment: machines[index].environment)
        if index < bridges.count { bridges[index] = bridge } else { bridges.append(bridge) }
    }

    /// - Parameter last: whether it is the last line that counts.
    func says(
        _ text: String, bridge index: Int, from start: Int = 0, last: Bool = false,
        where isMeant: (String) -> Bool = { _ in true }
    ) async throws {
        let bridge = bridges[index]
        try await eventually("\(text):\n\(bridge.lines.joined(separator: "\n"))") {
            let lines = last ? bridge.lines.suffix(1) : bridge.lines.dropFirst(start)
            return lines.contains { $0.contains(text) && isMeant($0) } ? true : nil
        }
    }

    @discardableResult
    func kith(_ arguments: String..., bridge index: Int) async throws -> String {
        try await Program.succeed(
            Program.kith, arguments + ["--data", machines[index].directory],
            environment: machines[index].environment)
    }

    func end() async {
        for bridge in bridges {
            if let process = bridge.processIdentifier { kill(process, SIGCONT) }
            await bridge.kill()
        }
    }
}

/// Two bridges and one broker.
func withPair(_ body: (Pair) async throws -> Void) async throws {
    let database = try TestDatabase()
    try await withInstallation(on: database) { try await run(Pair($0), body) }
}

/// Two bridges, each with a broker beside it.
///
/// - Parameter settings: environment variables for every `kith`.
func withPair(
    _ settings: [String: String] = [:],
    _ body: (Pair, _ other: Installation) async throws -> Void
) async throws {
    let database = try TestDatabase()
    try await withInstallation(settings, on: database) { installation in
        try await withInstallation(settings, on: database) { other in
            try await run(Pair(installation, other)) { try await body($0, other) }
        }
    }
}

private func run(_ pair: Pair, _ body: (Pair) async throws -> Void) async throws {
    do {
        try await body(pair)
    } catch {
        await pair.end()
        throw error
    }
    await pair.end()
}
