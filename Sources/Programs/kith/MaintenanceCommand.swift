public import ArgumentParser
import Bridge
import Contract
import JSON
import OperatorTools
public import Tracking

struct MaintenanceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintenance",
        abstract: "Warn people whose vital signs are watched of a time without monitoring.",
        subcommands: [Announce.self, Move.self, Cancel.self, List.self])
}

extension MaintenanceCommand {
    struct Announce: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Announce a time without service; prints its id.",
            discussion: """
                Everyone who is watched is warned 48 hours and one hour before, in their notices \
                and on their channels; immediately, stating so, if it is announced later than that.
                """)

        @Option(help: "When it begins, such as 2026-12-01T22:00:00Z.") var from: Timestamp
        @Option(help: "When it ends.") var to: Timestamp
        @Argument(help: "Text added to the warning.") var text: String

        @OptionGroup var options: DataOptions

        func run() async throws {
            let line = try MaintenanceCommand.line(text)
            let result = try await options.perform(
                .announceMaintenance(from: from, to: to, line))
            guard case .string(let id) = result["maintenance"] else {
                throw Complaint("The bridge's answer contains no id.")
            }
            print(id)
        }
    }

    struct Move: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Move an announced time without service, or change its text.",
            discussion: "Everyone who was warned is notified of the new time immediately.")

        @Option(help: "When it begins; unchanged if omitted.") var from: Timestamp?
        @Option(help: "When it ends; unchanged if omitted.") var to: Timestamp?
        @Option(help: "Text added to the warning; unchanged if omitted.") var text: String?
        @Argument(help: "The id, as `kith maintenance list` prints it.") var id: UUIDv7

        @OptionGroup var options: DataOptions

        func run() async throws {
            let line = try text.map { text in try MaintenanceCommand.line(text) }
            _ = try await options.perform(.moveMaintenance(id, from: from, to: to, line))
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Cancel an announced time without service.",
            discussion: "Everyone who was warned is notified that it is cancelled.")

        @Argument(help: "The id, as `kith maintenance list` prints it.") var id: UUIDv7

        @OptionGroup var options: DataOptions

        func run() async throws { _ = try await options.perform(.cancelMaintenance(id)) }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the announced times without service: id, beginning, end, text.")

        @OptionGroup var options: DataOptions

        func run() async throws {
            let result = try await options.perform(.listMaintenances)
            for maintenance in result["maintenances"]?.elements ?? [] {
                let fields = ["maintenance", "from", "to", "text"].map {
                    maintenance[$0]?.text ?? ""
                }
                print(fields.joined(separator: "\t"))
            }
        }
    }

    private static func line(_ text: String) throws -> MaintenanceText {
        do throws(DisplayName.Reason) {
            return try MaintenanceText(text)
        } catch {
            throw Complaint("The text \(error.text).")
        }
    }
}

extension Timestamp: ExpressibleByArgument {
    public init?(argument: String) { self.init(rfc3339: argument) }
}

extension UUIDv7: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
