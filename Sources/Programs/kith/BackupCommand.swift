import ArgumentParser
import Bridge
import Clocks
import Foundation
import OperatorTools
import Store
import Tracking

struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the database to a file.",
        discussion: """
            The bridge can keep running. The file is written completely and checked, or not at \
            all; only its owner can read it. It contains everything except the broker's own data, \
            the vital-sign keys (keep a copy of keys/vitals elsewhere) and the tokens of the \
            bridge and the operator, which are recreated if missing. With --directory the file is \
            named after the time, such as kith-2026-11-24T031500Z.db: for a timer. With --then a \
            backup counts only if that command succeeds: kith status, kith doctor and the metrics \
            show the last one that did.
            """)

    @Argument(help: "The file to write.", completion: .file(extensions: ["db"]))
    var file: String?

    @Option(
        help: "Write a file named after the time into this directory instead.",
        completion: .directory)
    var directory: String?

    @Option(help: "With --directory: keep this many such files, the newest.")
    var keep: Int?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(
        help: """
            Run this shell command afterwards, such as one that copies the file elsewhere; its \
            path is in KITH_BACKUP.
            """)
    var then: String?

    @OptionGroup var options: DataOptions

    func validate() throws {
        guard (file == nil) != (directory == nil) else {
            throw ValidationError("Specify a file to write, or --directory.")
        }
        guard directory != nil || keep == nil else {
            throw ValidationError("--keep needs --directory.")
        }
        guard file != nil || !force else { throw ValidationError("--force needs a file.") }
        guard keep ?? 1 >= 1 else { throw ValidationError("--keep must be 1 or more.") }
    }

    func run() async throws {
        let now = Timestamp.now
        let database = try await options.databaseThatIsThere()
        let backup = Backup(of: database)
        if let file {
            try backup.save(to: file, replacing: force)
            try runCommand(on: file)
        } else if let directory {
            let file = try backup.save(in: directory, keeping: keep ?? .max, at: now)
            print(file)
            try runCommand(on: file)
        }
        do {
            try LastBackup(besides: database.path).note(now)
        } catch {
            // The backup still exists.
            FileHandle.standardError.write(Data("kith: \(error)\n".utf8))
        }
    }

    private func runCommand(on file: String) throws {
        guard let then else { return }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", then]
        process.environment = ProcessInfo.processInfo.environment.merging(["KITH_BACKUP": file]) {
            $1
        }
        do { try process.run() } catch { throw Complaint("/bin/sh cannot be run.") }
        process.waitUntilExit()
        guard process.terminationReason == .exit, process.terminationStatus == 0 else {
            throw Complaint(
                "The backup was made, but does not count because the command after it failed "
                    + "(\(process.terminationStatus)).")
        }
    }
}
