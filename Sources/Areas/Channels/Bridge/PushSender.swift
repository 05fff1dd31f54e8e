import Clocks
import Contract
import Store
import Tracking
import Transfer
import WebPush

/// Sends to a browser through its push service (RFC 8030), encrypted for the browser only (RFC
/// 8291).
struct PushSender: ChannelSender {
    private let client: TransferClient
    private let settings: ChannelSettings

    init(_ client: TransferClient, _ settings: ChannelSettings) {
        (self.client, self.settings) = (client, settings)
    }

    func send(_ delivery: Delivery) async throws(DeliveryFailure) -> DeliveryOutcome.Result {
        let request = try request(delivery)
        let response = try await transfer { () async throws(TransferError) in
            var headers: [HTTPRequest.Header] = []
            for header in request.headers { headers.append(try .init(header.name, header.value)) }
            return try await client.send(
                HTTPRequest(
                    to: Endpoint(request.endpoint), headers: headers, body: request.body,
                    addresses: settings.addresses, lane: delivery.lane,
                    authorities: settings.authorities))
        }
        // A subscription unknown to the push service is gone for good.
        return response.status == 404
            ? .failed(.gone, after: nil) : DeliveryOutcome.Result(response)
    }

    private func request(_ delivery: Delivery) throws(DeliveryFailure) -> PushRequest {
        guard let key = delivery.pushKey, let publicKey = delivery.publicKey,
            let secret = delivery.secret
        else { throw .unsendable }
        let now = ClockReading.now.wall
        do throws(WebPushError) {
            let subscription = try PushSubscription(
                endpoint: delivery.address, publicKey: publicKey, authenticationSecret: secret)
            let message = try PushMessage(
                delivery.message.words(for: delivery.user), timeToLive: delivery.expiresAt - now,
                urgency: PushSender.urgency(delivery.urgency),
                // The repetition of an alert replaces the previous one if the browser has not
                // received it yet.
                topic: delivery.message.alert.map { $0.description.replacing("-", with: "") })
            return try message.request(
                to: subscription, once: MessageKey(), padding: PushSender.padding,
                authorization: key.authorization(
                    for: subscription, contact: contact, at: now.milliseconds / 1000))
        } catch {
            throw .unsendable
        }
    }

    private var contact: String {
        // Browsers added before a contact was required are still notified, by services that accept
        // this.
        settings.pushContact ?? "mailto:kith@localhost"
    }

    private static func urgency(_ urgency: DeliveryRow.Urgency) -> PushMessage.Urgency {
        switch urgency {
        case .sos, .awaited: .high
        case .alert, .notice: .normal
        case .check: .veryLow
        }
    }

    /// Bytes: padding conceals the length of a message.
    private static let padding = 64
}
