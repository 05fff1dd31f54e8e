internal import Clocks
internal import Contract
internal import Foundation
internal import Limits
public import Logging
internal import Mail
internal import Synchronization
internal import Tracking
internal import Transfer

/// Notifies the operator, on threads of its own.
public final class OperatorNotifier: Sendable {
    private let settings: OperatorSettings
    private let mail: ChannelSettings.Mail?
    private let authorities: String?
    private let logger: Logger
    private let client = TransferClient()
    private let state = Mutex((waiting: 0, isBeating: false))

    /// How many messages may wait for one that cannot be sent.
    private static let mostWaiting = 20
    /// How long one is tried again.
    private static let patience = Duration.seconds(86_400)

    /// A way to the operator, by its key.
    public enum Way: String, CaseIterable, Sendable {
        case mail = "operator.mail"
        case webhook = "operator.webhook"
        case heartbeat = "operator.heartbeat"
    }

    public init(_ settings: BridgeSettings, logger: Logger) {
        self.settings = settings.operator
        mail = settings.channels.mail
        authorities = settings.channels.authorities
        self.logger = logger
    }

    /// The ways that there are.
    public var ways: [Way] {
        Way.allCases.filter { way in
            switch way {
            case .mail: settings.mail != nil
            case .webhook: settings.webhook != nil
            case .heartbeat: settings.heartbeat != nil
            }
        }
    }

    func tell(_ news: ConcernNews.News, on host: String) {
        let lines =
            news.begun.map { "\($0.text): \($0.wayOut)." }
            + news.over.map { "No longer: \($0.text)." }
        let all = news.begun + news.over
        let title =
            all.count == 1
            ? "\(news.begun.isEmpty ? "No longer: " : "")\(all[0].text)" : "\(all.count) concerns"
        for way in ways where way != .heartbeat {
            send("Kith on \(host): \(title)", lines.joined(separator: "\n\n"), by: way)
        }
    }

    /// Asks for the heartbeat's address, unless the last time still waits.
    func beat() {
        guard settings.heartbeat != nil,
            state.withLock({ state in
                defer { state.isBeating = true }
                return !state.isBeating
            })
        else { return }
        Task.detached { [self] in
            // Who watches there notices if it fails.
            _ = await failure(of: .heartbeat, "", "")
            state.withLock { $0.isBeating = false }
        }
    }

    private func send(_ title: String, _ text: String, by way: Way) {
        guard
            state.withLock({ state in
                guard state.waiting < OperatorNotifier.mostWaiting else { return false }
                state.waiting += 1
                return true
            })
        else { return }
        Task.detached { [self] in
            defer { state.withLock { $0.waiting -= 1 } }
            let end = ContinuousClock.now + OperatorNotifier.patience
            var pauses = Backoff(from: .seconds(10), to: .seconds(600))
            var isSaid = false
            while ContinuousClock.now < end, let reason = await failure(of: way, title, text) {
                if !isSaid {
                    logger.warning(
                        "The operator cannot be notified, which is tried again.",
                        metadata: ["key": "\(way.rawValue)", "reason": "\(reason)"])
                }
                isSaid = true
                do { try await Task.sleep(for: pauses.next()) } catch { return }
            }
        }
    }

    /// Sends a message once.
    ///
    /// - Returns: why it could not be sent, in words without any address; nil if it was.
    public func failure(of way: Way, _ title: String, _ text: String) async -> String? {
        do throws(TransferError) {
            switch way {
            case .mail: return try await sendMail(title, text)
            case .webhook:
                guard let endpoint = settings.webhook else { return "it is not set" }
                return refusal(
                    try await client.send(
                        HTTPRequest(
                            to: endpoint,
                            headers: [.init("Content-Type", "text/plain; charset=utf-8")],
                            body: Array("\(title)\n\n\(text)\n".utf8), addresses: .any,
                            authorities: authorities)))
            case .heartbeat:
                guard let endpoint = settings.heartbeat else { return "it is not set" }
                return refusal(
                    try await client.send(
                        HTTPRequest(
                            .get, to: endpoint, addresses: .any, authorities: authorities)))
            }
        } catch {
            return "\(error)"
        }
    }

    private func refusal(_ response: HTTPResponse) -> String? {
        (200..<300).contains(response.status) ? nil : "it answers with \(response.status)"
    }

    private func sendMail(_ title: String, _ text: String) async throws(TransferError) -> String? {
        guard let mail, let to = settings.mail else { return "mail.host and mail.from are missing" }
        let now = Timestamp.now
        let message: [UInt8]
        do throws(MailError) {
            message = try MailMessage(
                from: Mailbox(mail.from, name: "Kith"), to: Mailbox(to), subject: title,
                text: text + "\n", id: "operator.\(UUID().uuidString)",
                date: now.milliseconds / 1000, isUrgent: true
            ).bytes
        } catch {
            return "the mail cannot be written"
        }
        let reply = try await client.send(
            MailSubmission(by: mail.server, from: mail.from, to: to, message: message))
        return reply.isAccepted ? nil : "the mail server answers with \(reply.code)"
    }
}
