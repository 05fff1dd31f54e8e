import ArgumentParser
import Bridge
import OperatorTools

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the database, as it is at one moment, into a file.",
        discussion: """
            The bridge may run meanwhile. The file is complete and checked, or it is not there; \
            only its owner can read it. It holds everything but the broker's own data and the \
            tokens/ of the bridge and the operator, which are made anew where there are none.
            """)

    @Argument(help: "The file to write.")
    var file: String

    @Flag(help: "Replace the file where there is one.")
    var force = false

    @OptionGroup var options: DataOptions

    func run() throws {
        try Backup(of: options.databasePath).save(to: file, replacing: force)
    }
}
