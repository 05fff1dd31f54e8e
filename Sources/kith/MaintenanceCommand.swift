public import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools
public import Tracking

struct MaintenanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintenance",
        abstract: "Warn those whose vital signs are watched before nobody watches them.",
        subcommands: [Announce.self])
}

extension MaintenanceCommand {
    struct Announce: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Announce a time without service; prints its id.",
            discussion: """
                Everybody who is watched is warned 48 hours and one hour before, in their notices \
                and on their channels; at once, and saying so, if it is announced later than that.
                """)

        @Option(help: "When it begins, such as 2026-12-01T22:00:00Z.") var from: Timestamp
        @Option(help: "When it ends.") var to: Timestamp
        @Argument(help: "What people are told besides.") var text: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            let line: MaintenanceText
            do throws(DisplayName.Reason) {
                line = try MaintenanceText(text)
            } catch {
                throw Complaint("The text \(error.text).")
            }
            let result = try await options.perform(
                .announceMaintenance(from: from, to: to, line))
            guard case .string(let id) = result["maintenance"] else {
                throw Complaint("The bridge's answer contains no id.")
            }
            print(id)
        }
    }
}

extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) { self.init(rfc3339: argument) }
}
