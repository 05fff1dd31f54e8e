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
        subcommands: [Announce.self, Move.self, Cancel.self, List.self])
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
            abstract: "Move an announced time without service, or change what people are told.",
            discussion: "Everybody who was warned learns the new time at once.")

        @Option(help: "When it begins; the same as before if left out.") var from: Timestamp?
        @Option(help: "When it ends; the same as before if left out.") var to: Timestamp?
        @Option(help: "What people are told besides; the same if left out.") var text: String?
        @Argument(help: "The id, as `kith maintenance list` prints it.") var id: UUIDv7

        @OptionGroup var options: DataOptions

        func run() async throws {
            let line = try text.map { text in try MaintenanceCommand.line(text) }
            _ = try await options.perform(.moveMaintenance(id, from: from, to: to, line))
        }
    }

    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take an announced time without service back.",
            discussion: "Everybody who was warned learns that it does not take place.")

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
