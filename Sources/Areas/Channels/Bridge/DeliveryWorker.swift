import Contract
import Store
import Transfer

/// Sends deliveries to their channels, many at a time.
final class DeliveryWorker: Sendable {
    private let senders: [ChannelKind: any ChannelSender]
    private let outcomes: Outcomes

    init(_ settings: ChannelSettings, _ outcomes: Outcomes) {
        let client = TransferClient()
        var senders: [ChannelKind: any ChannelSender] = [
            .push: PushSender(client, settings), .webhook: WebhookSender(client, settings),
        ]
        if let mail = settings.mail {
            senders[.mail] = MailSender(client, mail, page: settings.page)
        }
        self.senders = senders
        self.outcomes = outcomes
    }

    /// Starts sending. The engine submits no more than ``BridgeSettings/maximumUnderway`` at a
    /// time.
    func submit(_ deliveries: [Delivery]) {
        for delivery in deliveries {
            Task.detached { [self] in
                let result = await result(of: delivery)
                outcomes.add([DeliveryOutcome(of: delivery, result)])
            }
        }
    }

    private func result(of delivery: Delivery) async -> DeliveryOutcome.Result {
        guard let sender = senders[delivery.kind] else { return .failed(.notOffered, after: nil) }
        do throws(DeliveryFailure) {
            return try await sender.send(delivery)
        } catch {
            return .failed(error, after: nil)
        }
    }
}

/// Sends to channels of one kind.
protocol ChannelSender: Sendable {
    /// - Returns: the receiver's answer.
    /// - Throws: if there was no answer.
    func send(_ delivery: Delivery) async throws(DeliveryFailure) -> DeliveryOutcome.Result
}

extension ChannelSender {
    /// Runs the transfer, and translates its errors.
    func transfer<Answer: Sendable>(
        _ body: () async throws(TransferError) -> Answer
    ) async throws(DeliveryFailure) -> Answer {
        do throws(TransferError) {
            return try await body()
        } catch {
            throw DeliveryFailure(error)
        }
    }
}

extension DeliveryFailure {
    init(_ error: TransferError) {
        self =
            switch error {
            case .invalid: .unsendable
            case .refusedAddress: .forbidden
            case .unresolvable, .unreachable, .brokenOff, .busy, .cancelled, .failed: .unreachable
            case .timedOut: .timeout
            case .tls, .unencrypted: .encryption
            case .loginRefused, .redirected, .tooLarge, .protocolViolation: .refused
            }
    }
}

extension DeliveryOutcome.Result {
    /// Interprets an HTTP server's response.
    init(_ response: HTTPResponse) {
        self =
            switch response.status {
            case 200..<300: .delivered
            case 410: .failed(.gone, after: response.retryAfter)
            case 413: .failed(.unsendable, after: nil)
            case 429: .failed(.tooMany, after: response.retryAfter)
            default: .failed(.refused, after: response.retryAfter)
            }
    }
}

extension Delivery {
    /// Calls for help have a lane of their own, which nothing else can fill.
    var lane: TransferLane { urgency == .sos ? .urgent : .ordinary }
}
