import ArgumentParser
import Bridge
import Clocks
import Contract
import Foundation
import OperatorTools
import Tracking
import Web

struct TestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Test what users need: mail, push, webhooks, the directory, phones.",
        discussion: """
            Does what the service does, with the current configuration, and prints a line for each \
            test. Without a name everything configured is tested, except what needs --to. The exit \
            status is 1 if a test fails.

            operator: sends a message by operator.mail and operator.webhook, and requests \
            operator.heartbeat. mail: sends a mail to --to. webhook: sends a test to --to, \
            unsigned, by the rules for users' webhooks. ldap: queries the directory as each login \
            does first. push: connects to the push services of the large browsers; no one is \
            notified. phones: connects to the phones' port from this machine, by the name that \
            phones use.
            """)

    enum Way: String, CaseIterable, ExpressibleByArgument {
        case `operator`, mail, webhook, ldap, push, phones
    }

    @Argument(help: "What to test.") var ways: [Way] = []
    @Option(help: "The mail address, or the address of a webhook, for mail and webhook.")
    var to: String?
    @OptionGroup var options: DataOptions

    func validate() throws {
        let needing = ways.filter { $0 == .mail || $0 == .webhook }
        guard needing.isEmpty == (to == nil), needing.count < 2 else {
            throw ValidationError(
                "mail needs --to ADDRESS, and webhook --to URL; nothing else takes it.")
        }
    }

    func run() async throws {
        _ = try await options.databaseThatIsThere()
        let settings = try await options.settings()
        var trial = Trial()
        for way in ways.isEmpty ? Way.allCases : ways {
            let isAsked = ways.contains(way)
            switch way {
            case .operator: try await tell(settings, &trial, isAsked)
            case .mail, .webhook:
                if let to { try await send(to, by: way, settings, &trial) }
            case .ldap:
                let trials = Trials(settings)
                if trials.hasDirectory || isAsked {
                    trial.note("ldap", await trials.directory(), "answers")
                }
            case .push:
                let trials = Trials(settings)
                if let reason = trials.noPush {
                    if isAsked { trial.note("push", reason, "") }
                    continue
                }
                for host in Trials.pushServices {
                    trial.note("push \(host)", await trials.pushService(host), "answers")
                }
            case .phones: try await tryPhones(settings, &trial, isAsked)
            }
        }
        guard trial.hasTried else {
            throw Complaint(
                "Nothing is configured that can be tested: no operator.mail, operator.webhook or "
                    + "operator.heartbeat, no directory, no push, no phones.")
        }
        if trial.hasFailed { throw ExitCode.failure }
    }

    private struct Trial {
        var hasTried = false
        var hasFailed = false

        mutating func note(_ name: String, _ reason: String?, _ success: String) {
            hasTried = true
            hasFailed = hasFailed || reason != nil
            print("\(name): \(reason.map { "it failed: \($0)" } ?? success)")
        }
    }

    private func tell(_ settings: BridgeSettings, _ trial: inout Trial, _ isAsked: Bool)
        async throws
    {
        let notifier = OperatorNotifier(settings, logger: try await options.logger("kith"))
        if notifier.ways.isEmpty, isAsked {
            trial.note(
                "operator",
                "set operator.mail (with mail.host), operator.webhook or operator.heartbeat", "")
        }
        let message = OperatorMessage(
            title: "A test of Kith",
            text: "You will be notified here if something needs your attention.", at: .now)
        for way in notifier.ways {
            trial.note(way.rawValue, await notifier.failure(of: way, message), "sent")
        }
    }

    private func send(
        _ to: String, by way: Way, _ settings: BridgeSettings, _ trial: inout Trial
    ) async throws {
        guard way == .mail else {
            return trial.note("webhook", await Trials(settings).webhook(to), "sent")
        }
        var settings = settings
        settings.operator = OperatorSettings(mail: to)
        let notifier = OperatorNotifier(settings, logger: try await options.logger("kith"))
        let message = OperatorMessage(
            title: "A test of Kith", text: "Mail from Kith reaches this address.", at: .now)
        trial.note("mail", await notifier.failure(of: .mail, message), "sent")
    }

    private func tryPhones(
        _ settings: BridgeSettings, _ trial: inout Trial, _ isAsked: Bool
    ) async throws {
        let web = try await options.webSettings()
        let bridge = Condition.Bridge(on: options.databasePath)
        guard let host = bridge?.phonesName ?? web.phones.host else {
            if isAsked {
                trial.note(
                    "phones", "no phones expected: kith up --for-phones NAME, or web.phoneHost", "")
            }
            return
        }
        let tls = bridge?.phonesName != nil || web.phones.tls
        // Another machine's certificate is not signed by the authority here.
        let isOurs = bridge?.phonesName != nil
        let own = "\(options.data)/certificates/ca.crt"
        let authority = isOurs && FileManager.default.fileExists(atPath: own) ? own : nil
        let port = isOurs ? PhoneAccess.phonePorts[0] : web.phones.port ?? (tls ? 8883 : 1883)
        trial.note(
            "phones port \(port)",
            await Trials(settings).phones(at: host, port, tls: tls, authority: authority), "answers"
        )
    }
}
