internal import Clocks
internal import Contract
internal import Foundation
internal import Limits
public import Logging
internal import Mail
internal import Synchronization
public import Tracking
internal import Transfer

/// Notifies the operator, on its own threads.
public final class OperatorNotifier: Sendable {
    private let settings: OperatorSettings
    private let mail: ChannelSettings.Mail?
    private let authorities: String?
    private let logger: Logger
    /// Nil if no operator is configured.
    private let client: TransferClient?
    private let state = Mutex(State())

    private struct State {
        /// Waiting messages, in order.
        var queues: [Way: [OperatorMessage]] = [:]
        var isBeating = false
        /// The ways whose last attempt has failed.
        var failing: Set<Way> = []
    }

    /// The maximum number of messages waiting per way; the oldest makes room.
    private static let mostWaiting = 20
    /// The time for which a message is retried.
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
        client =
            self.settings.mail == nil && self.settings.webhook == nil
                && self.settings.heartbeat == nil ? nil : TransferClient()
    }

    /// Whether a message to the operator is waiting because it cannot be sent.
    var isUnreachable: Bool { state.withLock { !$0.failing.isEmpty } }

    /// The configured ways.
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
            + news.over.map { "Resolved: \($0.text)." }
        let all = news.begun + news.over
        let title =
            all.count == 1
            ? "\(news.begun.isEmpty ? "Resolved: " : "")\(all[0].text)" : "\(all.count) concerns"
        let message = OperatorMessage(
            title: "Kith on \(host): \(title)", text: lines.joined(separator: "\n\n"), at: .now)
        for way in ways where way != .heartbeat { send(message, by: way) }
    }

    var dailyReport: DailyReport? { settings.daily.map { DailyReport(at: $0) } }

    /// Reports that Kith works, or the concerns to investigate.
    func tellDaily(_ concerns: [Concern], _ figures: DailyFigures, on host: String) {
        let what =
            switch concerns.count {
            case 0: "no concerns"
            case 1: "one concern"
            default: "\(concerns.count) concerns"
            }
        let message = OperatorMessage(
            title: "Kith on \(host): \(what)", text: figures.text(concerns), at: .now)
        for way in ways where way != .heartbeat { send(message, by: way) }
    }

    /// Requests the heartbeat address, unless the last request is still pending.
    func beat() {
        guard settings.heartbeat != nil,
            state.withLock({ state in
                defer { state.isBeating = true }
                return !state.isBeating
            })
        else { return }
        Task.detached { [self] in
            // The monitoring service notices failures.
            _ = await failure(of: .heartbeat, OperatorMessage(title: "", text: "", at: .now))
            state.withLock { $0.isBeating = false }
        }
    }

    private func send(_ message: OperatorMessage, by way: Way) {
        let (isFirst, isFull) = state.withLock { state in
            var queue = state.queues[way, default: []]
            let isFull = queue.count >= OperatorNotifier.mostWaiting
            // The first one is being sent.
            if isFull { queue.remove(at: 1) }
            queue.append(message)
            state.queues[way] = queue
            return (queue.count == 1, isFull)
        }
        if isFull {
            logger.warning("A message to the operator was dropped to make room for newer ones.")
        }
        guard isFirst else { return }
        Task.detached { [self] in await send(from: message, by: way) }
    }

    /// Sends the messages waiting on a way, in order. It ends as soon as none wait, and the next
    /// message starts it again.
    private func send(from first: OperatorMessage, by way: Way) async {
        var next: OperatorMessage? = first
        while let message = next {
            let end = ContinuousClock.now + OperatorNotifier.patience
            var pauses = Backoff(from: .seconds(10), to: .seconds(600))
            var isSaid = false
            while let reason = await failure(of: way, message),
                ContinuousClock.now < end
            {
                state.withLock { _ = $0.failing.insert(way) }
                if !isSaid {
                    logger.warning(
                        "The operator cannot be notified; it is tried again.",
                        metadata: ["key": "\(way.rawValue)", "reason": "\(reason)"])
                }
                isSaid = true
                do { try await Task.sleep(for: pauses.next()) } catch { return }
            }
            next = state.withLock { state in
                if ContinuousClock.now < end { state.failing.remove(way) }
                state.queues[way]?.removeFirst()
                return state.queues[way]?.first
            }
        }
    }

    /// Sends a message once.
    ///
    /// - Returns: the reason why it could not be sent, without any address; nil if it was.
    public func failure(of way: Way, _ message: OperatorMessage) async -> String? {
        guard let client else { return "it is not set" }
        do throws(TransferError) {
            switch way {
            case .mail: return try await sendMail(message, client)
            case .webhook:
                guard let endpoint = settings.webhook else { return "it is not set" }
                return refusal(
                    try await client.send(
                        HTTPRequest(
                            to: endpoint,
                            headers: [.init("Content-Type", "text/plain; charset=utf-8")],
                            body: Array("\(message.title)\n\n\(message.words)\n".utf8),
                            addresses: .any,
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

    private func sendMail(_ message: OperatorMessage, _ client: TransferClient)
        async throws(TransferError) -> String?
    {
        guard let mail, let to = settings.mail else { return "mail.host and mail.from are missing" }
        let bytes: [UInt8]
        do throws(MailError) {
            bytes = try MailMessage(
                from: Mailbox(mail.from, name: "Kith"), to: Mailbox(to), subject: message.title,
                text: message.words + "\n", id: message.id,
                date: message.at.milliseconds / 1000, isUrgent: true
            ).bytes
        } catch {
            return "the mail cannot be written"
        }
        let reply = try await client.send(
            MailSubmission(by: mail.server, from: mail.from, to: to, message: bytes))
        return reply.isAccepted ? nil : "the mail server answers with \(reply.code)"
    }
}

/// A message to the operator.
public struct OperatorMessage: Sendable {
    public let title: String
    public let text: String
    /// The time that it describes; it may arrive much later.
    public let at: Timestamp
    /// The same for every attempt.
    let id = "operator.\(UUID().uuidString)"

    public init(title: String, text: String, at: Timestamp) {
        (self.title, self.text, self.at) = (title, text, at)
    }

    fileprivate var words: String { "\(at.rfc3339.prefix(19))Z: \(text)" }
}
