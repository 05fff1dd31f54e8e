import ArgumentParser
import Bench

struct BenchFixes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fixes",
        abstract: "Measure how many fixes a second are handled, compared with simpler programs.",
        discussion: """
            Publishes the same fixes through a broker of its own to three programs, one after the \
            other: count only counts them, echo republishes each, and kith is the bridge, \
            measured until the last fix is on disk and its state is published. Then the bridge is \
            measured with devices that have a connection each, without the gate and with it. On \
            another machine only the ratios are comparable. Use a release build.
            """)

    @Option(help: "Fixes to publish.")
    var fixes = 100_000

    @Option(help: "Users who publish them in turn.")
    var users = 10_000

    @Option(help: "Members of each group.")
    var groupSize = 5

    @Option(help: "Devices, each with a connection of its own, for measuring the gate.")
    var gatedDevices = 200

    @Option(help: "Fixes in the store before it starts.")
    var history = 0

    @Option(help: "Seconds for which latency is measured; 0 to skip that.")
    var latency = 10

    @OptionGroup var options: BenchOptions

    @Option(help: "The URI of a PostgreSQL database for the bridge's state; without it SQLite.")
    var database: String?

    func validate() throws {
        guard fixes > 0, users > 0, groupSize > 0, gatedDevices > 0, history >= 0, latency >= 0
        else {
            throw ValidationError("The numbers must be positive.")
        }
    }

    func run() async throws {
        var settings = BenchSettings(try options.tools())
        settings.fixes = fixes
        settings.users = users
        settings.groupSize = groupSize
        settings.gatedDevices = min(gatedDevices, users)
        settings.history = history
        settings.database = database
        settings.latencyFor = .seconds(latency)
        try await Bench(settings).run(BenchOptions.tell)
    }
}
