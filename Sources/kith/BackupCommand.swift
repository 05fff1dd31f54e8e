import ArgumentParser
import Bridge
import OperatorTools

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the database to a file.",
        discussion: """
            The bridge may be running meanwhile. The file is written completely and checked, or \
            not at all; only its owner can read it. It contains everything except the broker's own \
            data, the keys of vital signs (keep a copy of keys/vitals elsewhere) and the tokens of \
            the bridge and the operator, which are created anew if they are missing.
            """)

    @Argument(help: "The file to write.")
    var file: String

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var options: DataOptions

    func run() throws {
        try Backup(of: options.databasePath).save(to: file, replacing: force)
    }
}
