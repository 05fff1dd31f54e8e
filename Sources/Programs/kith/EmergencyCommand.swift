import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools
import Tracking

struct EmergencyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "emergency",
        abstract: "Check that dispatch can be reached.",
        subcommands: [DrillCommand.self])
}

struct DrillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drill",
        abstract: "Run a drill: call dispatch by every configured way.",
        discussion: """
            The messages state that this is a drill (in the Common Alerting Protocol: Exercise). \
            Prints the outcome of each way, and exits with 1 if one has not answered within two \
            minutes. The bridge must be running. Of areas with the same ways, only one is tested.
            """)

    @Option(help: "Only the area of that name (emergency.dispatchAreas).") var area: String?

    @OptionGroup var options: DataOptions

    func run() async throws {
        let result = try await options.perform(.drill(area: area))
        let ids = result["drills"]?.elements.compactMap { $0.text.flatMap { UUIDv7($0) } } ?? []
        guard !ids.isEmpty else { throw Complaint("The bridge's answer contains no drill.") }
        var (all, unanswered) = (0, 0)
        for id in ids {
            var report = try DrillReport(id, in: try await options.databaseThatIsThere())
            while !report.isOver {
                try await Task.sleep(for: .milliseconds(200))
                report = try DrillReport(id, in: try await options.databaseThatIsThere())
            }
            for way in report.ways {
                print("\(report.area)\t\(way.name)\t\(way.result)")
                all += 1
                unanswered += way.isAnswered ? 0 : 1
            }
        }
        if unanswered > 0 {
            throw Complaint("\(unanswered) of \(all) ways did not answer.")
        }
    }
}
