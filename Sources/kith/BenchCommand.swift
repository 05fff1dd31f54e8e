import ArgumentParser
import Bench
import Glibc

struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench", abstract: "Measure: fixes, unless something else is named.",
        subcommands: [BenchFixes.self, BenchNearby.self, BenchNeighbours.self],
        defaultSubcommand: BenchFixes.self)
}

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
    var company = 200

    @Option(help: "Fixes in the store before it starts.")
    var history = 0

    @Option(help: "Seconds of the measurement of latency; 0 leaves it out.")
    var latency = 10

    @Option(help: "The broker's configuration; its template in broker-config/ unless given.")
    var brokerConfig: String?

    func validate() throws {
        guard fixes > 0, users > 0, groupSize > 0, company > 0, history >= 0, latency >= 0 else {
            throw ValidationError("The numbers must be positive.")
        }
    }

    func run() async throws {
        var settings = BenchSettings(
            program: "/proc/self/exe", brokerTemplate: try brokerConfig ?? BrokerTemplate.find(),
            gate: try GateLibrary.find())
        settings.fixes = fixes
        settings.users = users
        settings.groupSize = groupSize
        settings.company = min(company, users)
        settings.history = history
        settings.latencyFor = .seconds(latency)
        let bench = Bench(settings)
        try await bench.run { line in
            print(line)
            fflush(nil)  // Each line when it is known, also into a file.
        }
    }
}

struct BenchNeighbours: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "neighbours",
        abstract: "Measure what hostile or unlucky neighbours cost ordinary people.",
        discussion: """
            Measures how long the fixes of twenty ordinary groups take to become states while \
            nothing else happens, and then beside each of seven nuisances, on one broker with the \
            gate, one bridge and one page. Only the ratios mean anything on another machine. Build with \
            -c release first.
            """)

    @Option(help: "Seconds for which each situation is measured.")
    var seconds = 8

    @Option(help: "Phones that come at once.")
    var connections = 5_000

    @Option(help: "Journeys whose time is up at once.")
    var timers = 10_000

    @Option(help: "Members of the large group.")
    var groupSize = 1_000

    @Option(help: "Who watch it, over MQTT and with browsers.")
    var visitors = 500

    @Option(
        help: "Only the nuisances whose names have this in them.")
    var only: String?

    @Option(help: "The broker's configuration; its template in broker-config/ unless given.")
    var brokerConfig: String?

    func validate() throws {
        guard seconds > 0, connections > 0, timers > 0, visitors > 0, groupSize > visitors else {
            throw ValidationError("The numbers must be positive, and the visitors members.")
        }
    }

    func run() async throws {
        var settings = NeighbourSettings(
            program: "/proc/self/exe", brokerTemplate: try brokerConfig ?? BrokerTemplate.find(),
            gate: try GateLibrary.find())
        settings.seconds = seconds
        settings.connections = connections
        settings.timers = timers
        settings.groupSize = groupSize
        settings.visitors = visitors
        settings.only = only
        try await Neighbours(settings).run { line in
            print(line)
            fflush(nil)
        }
    }
}

/// A part of the measurement, in a process of its own.
struct BenchPart: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-part", abstract: "Play a part of the measurement.",
        shouldDisplay: false)

    @Argument var part: Part
    @Option var port: UInt16

    func run() throws { try Sidekick(part, port: port).run() }
}
