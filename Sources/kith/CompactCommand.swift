import ArgumentParser
import Bridge
import OperatorTools

struct CompactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Shrink the database file (VACUUM).",
        discussion: """
            The bridge must not be running; the broker may, and keeps what comes meanwhile. It needs \
            as much room on the disk as the data that is left takes, twice. If it is interrupted, \
            the database is as it was. There is no need to do it regularly: new data goes where \
            deleted data was.
            """)

    @OptionGroup var options: DataOptions

    func run() throws {
        let outcome = try Compaction(of: options.databasePath).run()
        let (before, after) = (mebibytes(outcome.before), mebibytes(outcome.after))
        let freed = mebibytes(max(0, outcome.before - outcome.after))
        print("The database had \(before) MiB and has \(after) MiB: \(freed) MiB are free.")
        if outcome.isPending {
            print(
                "The file becomes smaller when the bridge ends next: another program was reading it."
            )
        }
    }

    /// With one digit after the point.
    private func mebibytes(_ bytes: Int64) -> String {
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return "\(tenths / 10).\(tenths % 10)"
    }
}
