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
        abstract: "Try what people will need: mail, push, webhooks, the directory, phones.",
        discussion: """
            Makes what the service makes, as the configuration says now, and prints a line for each. \
            Without a name all that is set up is tried, but for what needs --to. The exit status is 1 if \
            one fails.

            operator: a message by operator.mail and operator.webhook, and operator.heartbeat is asked for. \
            mail: a mail to the address --to. webhook: a test to the address --to, unsigned, by the rules \
            that hold for people's webhooks. ldap: the directory is asked what each login asks first. \
            push: the push services of the large browsers are connected to; nobody is notified. phones: \
            the port for phones is connected to from this machine, by the name under which phones come.
            """)

    enum Way: String, CaseIterable, ExpressibleByArgument {
        case `operator`, mail, webhook, ldap, push, phones
    }

    @Argument(help: "What to try.") var ways: [Way] = []
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
        _ = try options.databaseThatIsThere()
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
                "Nothing is set up that can be tried: no operator.mail, operator.webhook or "
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
            text: "You are notified here if something has to be looked into.", at: .now)
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
            title: "A test of Kith", text: "Mail of Kith's reaches this address.", at: .now)
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
                    "phones", "no phones come: kith up --for-phones NAME, or web.phoneHost", "")
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
