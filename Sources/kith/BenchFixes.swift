import ArgumentParser
import Bench

struct BenchFixes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fixes",
        abstract: "Measure how many fixes a second come through, beside simpler programs.",
        discussion: """
            Publishes the same fixes through a broker of its own to three subscribers, one after \
            the other: count only counts, echo publishes each message once more, and kith is the \
            bridge, until the last fix is on disk and its state published; then the bridge again \
            for devices with a connection each, without the gate and with it. Only the ratios mean \
            anything on another machine. Build with -c release first.
            """)

    @Option(help: "Fixes to publish.")
    var fixes = 100_000

    @Option(help: "Users who publish them in turn.")
    var users = 10_000

    @Option(help: "Members of each group.")
    var groupSize = 5

    @Option(help: "Devices with a connection of their own where the gate is measured.")
    var gatedDevices = 200

    @Option(help: "Fixes in the store before it starts.")
    var history = 0

    @Option(help: "Seconds of the measurement of latency; 0 leaves it out.")
    var latency = 10

    @OptionGroup var options: BenchOptions

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
        settings.latencyFor = .seconds(latency)
        try await Bench(settings).run(BenchOptions.tell)
    }
}
