import ArgumentParser
import Bridge
import OperatorTools

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the database with a backup.",
        discussion: """
            The bridge must not be running. The backup is checked first; the previous database is \
            kept beside the restored one, as kith.db.before-restore.
            """)

    @Argument(help: "A file written by kith backup.")
    var file: String

    @OptionGroup var options: DataOptions

    func run() throws {
        try options.makeDirectory()
        try Backup(of: options.databasePath).restore(from: file)
    }
}
