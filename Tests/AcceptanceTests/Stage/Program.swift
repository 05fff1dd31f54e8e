import Foundation
import Subprocess
import SystemPackage
import Testing

/// The result of a program that has ended.
struct Ending: Sendable {
    /// The exit status; nil if a signal ended it.
    var status: Int32?
    var output: String
    var errors: String

    /// Its standard output, without the final newline.
    var line: String { output.trimmingCharacters(in: .newlines) }
    /// The lines of its standard error.
    var complaints: [String] { errors.split(separator: "\n").map(String.init) }
}

enum Program {
    /// The build puts `kith` next to this test bundle.
    static let kith = beside("kith")
    static let dev = beside("kith-dev")
    static let gate = beside("libKithGate.so")

    private static func beside(_ name: String) -> String {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
            .deletingLastPathComponent().appending(path: name).path
    }

    /// Runs it to its end.
    ///
    /// - Parameter name: a path, or a name to be looked up in `PATH`.
    static func run(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> Ending {
        let result = try await Subprocess.run(
            executable(name), arguments: Arguments(arguments),
            environment: .inherit.updating(keys(environment)), input: .none,
            output: .string(limit: 1 << 20), error: .string(limit: 1 << 20))
        var status: Int32?
        if case .exited(let code) = result.terminationStatus { status = code }
        return Ending(
            status: status, output: result.standardOutput, errors: result.standardError)
    }

    /// The same; fails unless it succeeds.
    ///
    /// - Returns: its standard output.
    @discardableResult
    static func succeed(
        _ name: String, _ arguments: [String], environment: [String: String] = [:]
    ) async throws -> String {
        let ending = try await run(name, arguments, environment: environment)
        try #require(ending.status == 0, "\(name) \(arguments): \(ending)")
        return ending.line
    }

    /// Leaves an empty database, unless there is one, as a bridge does in its first moment: for
    /// commands before any bridge has run, which create none.
    static func beginData(_ directory: String) throws {
        let path = directory + "/kith.db"
        guard !FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: path))
    }

    static func executable(_ name: String) -> Executable {
        name.hasPrefix("/") ? .path(FilePath(name)) : .name(name)
    }

    static func keys(_ environment: [String: String]) -> [Environment.Key: String?] {
        Dictionary(
            uniqueKeysWithValues: environment.map {
                (Environment.Key(stringLiteral: $0.key), $0.value)
            })
    }
}
