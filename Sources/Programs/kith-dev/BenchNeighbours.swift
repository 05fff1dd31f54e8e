import ArgumentParser
import Bench

struct BenchNeighbours: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "neighbours",
        abstract: "Measure how much hostile or unlucky neighbours slow down ordinary people.",
        discussion: """
            Measures how long the fixes of twenty ordinary groups take to become states, and an \
            SOS to reach the caller's group: first undisturbed, then beside each noisy neighbour. Each \
            situation has an installation of its own: a broker with the gate, a bridge and a page \
            server. On another machine only the ratios are comparable. Use a release build.
            """)

    @Option(help: "Seconds for which each situation is measured.")
    var seconds = 8

    @Option(help: "Seconds after which whatever has not arrived counts as lost.")
    var patience = 60

    @Option(help: "Phones that connect at once.")
    var connections = 5_000

    @Option(help: "Journeys that become late at the same time.")
    var timers = 10_000

    @Option(help: "Members of the large group.")
    var groupSize = 1_000

    @Option(help: "People who watch the group, over MQTT and with browsers.")
    var visitors = 500

    @Option(
        help: "Only these noisy neighbours: numbers or parts of names, separated by commas.")
    var only: String?

    @OptionGroup var options: BenchOptions

    func validate() throws {
        guard seconds > 0, patience > 0, connections > 0, timers > 0, visitors > 0,
            groupSize > visitors
        else {
            throw ValidationError("The numbers must be positive, with fewer visitors than members.")
        }
    }

    func run() async throws {
        var settings = NeighbourSettings(try options.tools())
        settings.seconds = seconds
        settings.connections = connections
        settings.timers = timers
        settings.groupSize = groupSize
        settings.visitors = visitors
        settings.patience = patience
        settings.only = only?.split(separator: ",").map(String.init) ?? []
        try await NeighbourBench(settings).run(BenchOptions.tell)
    }
}
