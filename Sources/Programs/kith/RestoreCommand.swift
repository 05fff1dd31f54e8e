import ArgumentParser
import Bridge
import OperatorTools

struct RestoreCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Replace the database with a backup.",
        discussion: """
            The bridge must not be running. The backup is checked first; the previous database is \
            kept beside the restored one, as kith.db.before-restore. People in an SOS that is \
            missing in the backup are listed: no one sees it any more. A backup from an earlier \
            version is upgraded when the bridge starts.
            """)

    @Argument(help: "A file written by kith backup.")
    var file: String

    @OptionGroup var options: DataOptions

    func run() async throws {
        try requireDirectory()
        let lost = try Backup(of: try await options.database()).restore(from: file)
        print("\(file) has replaced the database.")
        if let lost {
            guard !lost.isEmpty else { return }
            print(
                "In an SOS that the backup lacks: \(lost.joined(separator: ", ")). No one sees "
                    + "it any more: ask them whether they need help.")
        } else {
            print(
                "Calls for help since the backup was made may be lost, and cannot be read: ask "
                    + "people whether they need help.")
        }
    }

    /// On a new machine the directory has to be created by a person who knows its owner.
    private func requireDirectory() throws {
        do {
            try options.requireDirectory()
        } catch {
            throw Complaint("\(error) To restore into a new directory, make it first.")
        }
    }
}
