import ArgumentParser
import Bridge
import Clocks
import Contract
import OperatorTools
import Tracking

struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Try the ways by which you are notified.",
        discussion: """
            Sends a message by each of operator.mail and operator.webhook, and asks for \
            operator.heartbeat, as the configuration says now. The exit status is 1 if one of them \
            fails, or none is set. operator.mail goes by the mail server that everybody's mail goes by.
            """)

    @OptionGroup var options: DataOptions

    func run() async throws {
        _ = try options.databaseThatIsThere()
        let notifier = OperatorNotifier(
            try await options.settings(), logger: try await options.logger("kith"))
        guard !notifier.ways.isEmpty else {
            throw Complaint(
                "You are notified of nothing: set operator.mail (with mail.host), operator.webhook or "
                    + "operator.heartbeat.")
        }
        let message = OperatorMessage(
            title: "A test of Kith",
            text: "You are notified here if something has to be looked into.",
            at: .now)
        var hasFailed = false
        for way in notifier.ways {
            let reason = await notifier.failure(of: way, message)
            hasFailed = hasFailed || reason != nil
            print("\(way.rawValue): \(reason.map { "it failed: \($0)" } ?? "sent")")
        }
        if hasFailed { throw ExitCode.failure }
    }
}
