internal import Foundation
internal import Glibc

/// Runs external programs for their output.
enum Tool {
    private static func isProgram(_ path: String) -> Bool { access(path, X_OK) == 0 }

    /// Returns nil if there is no such program in `PATH` or in Debian's directories for the
    /// operator.
    static func path(of program: String) -> String? {
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let folders = places.map(String.init) + ["/usr/sbin", "/usr/local/sbin", "/usr/bin"]
        return folders.map { "\($0)/\(program)" }.first(where: isProgram)
    }

    /// Returns nil if there is no such program.
    static func run(_ program: String, _ arguments: [String]) -> (status: Int32, output: String)? {
        guard let path = path(of: program) else { return nil }
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return nil }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: data, as: UTF8.self))
    }
}
