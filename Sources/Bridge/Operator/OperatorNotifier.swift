internal import Clocks
internal import Contract
internal import Foundation
internal import Limits
public import Logging
internal import Mail
internal import Synchronization
public import Tracking
internal import Transfer

/// Notifies the operator, on threads of its own.
public final class OperatorNotifier: Sendable {
    private let settings: OperatorSettings
    private let mail: ChannelSettings.Mail?
    private let authorities: String?
    private let logger: Logger
    /// Nil: there is nobody to notify.
    private let client: TransferClient?
    private let state = Mutex(State())

    private struct State {
        /// What waits, in order.
        var queues: [Way: [OperatorMessage]] = [:]
        var isBeating = false
        /// The ways on which the last attempt has failed.
        var failing: Set<Way> = []
    }

    /// How many messages may wait on a way; the oldest makes room.
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
        client =
            self.settings.mail == nil && self.settings.webhook == nil
                && self.settings.heartbeat == nil ? nil : TransferClient()
    }

    /// Whether a message to the operator waits because it cannot be sent.
    var isUnreachable: Bool { state.withLock { !$0.failing.isEmpty } }

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
        let message = OperatorMessage(
            title: "Kith on \(host): \(title)", text: lines.joined(separator: "\n\n"), at: .now)
        for way in ways where way != .heartbeat { send(message, by: way) }
    }

    var dailyReport: DailyReport? { settings.daily.map { DailyReport(at: $0) } }

    /// Says that Kith works, or what has to be looked into.
    func tellDaily(_ concerns: [Concern], _ figures: DailyFigures, on host: String) {
        let what =
            switch concerns.count {
            case 0: "nothing to look into"
            case 1: "one concern"
            default: "\(concerns.count) concerns"
            }
        let message = OperatorMessage(
            title: "Kith on \(host): \(what)", text: figures.text(concerns), at: .now)
        for way in ways where way != .heartbeat { send(message, by: way) }
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
        if isFull { logger.warning("A message to the operator makes room for newer ones.") }
        guard isFirst else { return }
        Task.detached { [self] in await send(from: message, by: way) }
    }

    /// Sends what waits on a way, in order. It ends in the moment in which nothing waits any more, and the
    /// next message starts it again.
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
                        "The operator cannot be notified, which is tried again.",
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
    /// - Returns: why it could not be sent, in words without any address; nil if it was.
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

/// What an operator is to know.
public struct OperatorMessage: Sendable {
    public let title: String
    public let text: String
    /// When it was so; it may arrive much later.
    public let at: Timestamp
    /// Stays the same however often it is sent.
    let id = "operator.\(UUID().uuidString)"

    public init(title: String, text: String, at: Timestamp) {
        (self.title, self.text, self.at) = (title, text, at)
    }

    fileprivate var words: String { "\(at.rfc3339.prefix(19))Z: \(text)" }
}
