import ArgumentParser
import Bridge
import OperatorTools
import Store

struct MoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Copy the database to a PostgreSQL server, or back.",
        discussion: """
            The bridge must not be running; the broker may, and queues messages meanwhile. The \
            configured database is copied and not changed; afterwards set database in the \
            configuration, and start Kith. The target must be empty. If the copy is interrupted, \
            the target stays empty.
            """)

    @Option(
        help: """
            The target: a connection URI of PostgreSQL, or sqlite for the file kith.db in the data \
            directory. A password in it would be visible to other users of this machine: use \
            PGPASSWORD or PGPASSFILE.
            """)
    var to: String

    @OptionGroup var options: DataOptions

    func run() async throws {
        let source = try await options.databaseThatIsThere()
        guard to == "sqlite" || DatabaseSettings.isServer(to) else {
            throw Complaint("--to must be sqlite, or begin with postgresql://.")
        }
        let target = DatabaseAddress(source.path, server: to == "sqlite" ? nil : to)
        let counts = try Relocation(from: source, to: target).run()
        for (table, rows) in counts where rows > 0 { print("\(table)\t\(rows)") }
        print(
            to == "sqlite"
                ? "Everything is in \(source.path). Remove database from the configuration."
                : "Everything is in PostgreSQL. Set database in the configuration to this URI.")
    }
}
