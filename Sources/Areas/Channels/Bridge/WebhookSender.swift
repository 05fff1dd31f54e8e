import Clocks
import Contract
import Tracking
import Transfer
import Webhooks

/// Sends to a person's own server, signed as specified by Standard Webhooks.
struct WebhookSender: ChannelSender {
    private let client: TransferClient
    private let settings: ChannelSettings

    init(_ client: TransferClient, _ settings: ChannelSettings) {
        (self.client, self.settings) = (client, settings)
    }

    func send(_ delivery: Delivery) async throws(DeliveryFailure) -> DeliveryOutcome.Result {
        let body = delivery.message.payload
        let seconds = ClockReading.now.wall.milliseconds / 1000
        guard let secret = delivery.secret.flatMap({ WebhookSecret(bytes: $0) }),
            let signature = secret.headers(id: delivery.message.id, at: seconds, body: body)
        else { throw .unsendable }
        let response = try await transfer { () async throws(TransferError) in
            var headers: [HTTPRequest.Header] = [
                try .init("Content-Type", "application/json"), try .init("User-Agent", "Kith"),
            ]
            for header in signature { headers.append(try .init(header.name, header.value)) }
            return try await client.send(
                HTTPRequest(
                    to: Endpoint(delivery.address), headers: headers, body: body,
                    addresses: settings.addresses, lane: delivery.lane,
                    authorities: settings.authorities))
        }
        return DeliveryOutcome.Result(response)
    }
}
