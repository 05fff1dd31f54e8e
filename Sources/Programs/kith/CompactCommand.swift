import ArgumentParser
import Bridge
import OperatorTools
import Store

struct CompactCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compact",
        abstract: "Shrink the database file (VACUUM).",
        discussion: """
            The bridge must not be running; the broker may, and queues messages meanwhile. It \
            needs twice as much disk space as the remaining data takes. If it is interrupted, the \
            database is unchanged. There is no need to do it regularly: new data reuses the space \
            of deleted data.
            """)

    @OptionGroup var options: DataOptions

    func run() async throws {
        guard try await options.database().server == nil else {
            throw Complaint(
                "PostgreSQL reuses the space of deleted data by itself (autovacuum); VACUUM FULL "
                    + "returns it to the disk.")
        }
        let outcome = try Compaction(of: options.databasePath).run()
        let (before, after) = (mebibytes(outcome.before), mebibytes(outcome.after))
        let freed = mebibytes(max(0, outcome.before - outcome.after))
        print("The database had \(before) MiB and now has \(after) MiB: \(freed) MiB were freed.")
        if outcome.isPending {
            print(
                "The file shrinks when the bridge next ends: another program was reading it.")
        }
    }

    /// Returns mebibytes with one digit after the point.
    private func mebibytes(_ bytes: Int64) -> String {
        let tenths = (bytes * 10 + (1 << 19)) >> 20
        return "\(tenths / 10).\(tenths % 10)"
    }
}
