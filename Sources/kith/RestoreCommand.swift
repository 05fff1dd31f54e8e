import ArgumentParser
import Bridge
import OperatorTools

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup into the place of the database.",
        discussion: """
            Only while no bridge runs. The backup is checked first; the database that was there \
            is kept beside it, as kith.db.before-restore.
            """)

    @Argument(help: "A file that kith backup wrote.")
    var file: String

    @OptionGroup var options: DataOptions

    func run() throws {
        try options.makeDirectory()
        try Backup(of: options.databasePath).restore(from: file)
    }
}
