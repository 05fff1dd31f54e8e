import ArgumentParser
import Bench

struct BenchCohorts: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cohorts",
        abstract: "Measure how long a question about many people takes.",
        discussion: """
            A company asks about everybody and a month, again and again, on the connection that \
            such questions have; meanwhile fixes are stored at a steady rate, each turn with its \
            commit, without a broker. Before and after, the same without questions: the \
            difference is what questions cost everybody else.
            """)

    @Option(help: "People who agree to be counted.")
    var people = 5_000

    @Option(help: "Days that are asked about.")
    var days = 30

    @Option(help: "Fixes per second.")
    var rate = 2_000

    @Option(help: "How long fixes come, with questions, and as long without.")
    var seconds = 20

    func validate() throws {
        guard people >= 1_000, (1...31).contains(days), rate >= 100, seconds > 0 else {
            throw ValidationError(
                "There are at least 1000 people and 100 fixes per second, and 1 to 31 days.")
        }
    }

    func run() throws {
        print(
            try CohortCost(people: people, days: days, rate: rate, seconds: seconds).measure())
    }
}
