import ArgumentParser
import Bench

struct BenchNeighbours: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "neighbours",
        abstract: "Measure what hostile or unlucky neighbours cost ordinary people.",
        discussion: """
            Measures how long the fixes of twenty ordinary groups take to become states, and calls \
            for help to reach the caller's group, while nothing else happens and beside each \
            nuisance: each in an installation of its own, of one broker with the gate, one bridge \
            and one page. Only the ratios mean anything on another machine. Build with -c release \
            first.
            """)

    @Option(help: "Seconds for which each situation is measured.")
    var seconds = 8

    @Option(help: "Seconds until what has not come by then counts as never coming.")
    var patience = 60

    @Option(help: "Phones that come at once.")
    var connections = 5_000

    @Option(help: "Journeys whose time is up at once.")
    var timers = 10_000

    @Option(help: "Members of the large group.")
    var groupSize = 1_000

    @Option(help: "Who watch it, over MQTT and with browsers.")
    var visitors = 500

    @Option(
        help: "Only these nuisances: their numbers, or a part of their names, with commas between.")
    var only: String?

    @OptionGroup var options: BenchOptions

    func validate() throws {
        guard seconds > 0, patience > 0, connections > 0, timers > 0, visitors > 0,
            groupSize > visitors
        else {
            throw ValidationError("The numbers must be positive, and the visitors members.")
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
