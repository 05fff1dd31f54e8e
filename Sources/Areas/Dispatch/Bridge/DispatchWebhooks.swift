import Clocks
import Contract
import Tracking
import Transfer
import Webhooks

/// Calls dispatch at a server named by the operator. Its response may be an answer.
struct DispatchWebhooks: Sendable {
    private let client = TransferClient()
    private let authorities: String?

    /// - Parameter authorities: a file with the certificates of trusted authorities; nil for the
    ///   system's.
    init(authorities: String?) { self.authorities = authorities }

    func send(_ call: DispatchCall, to url: String, _ secret: String) async
        -> DispatchOutcome.Result
    {
        let seconds = ClockReading.now.wall.milliseconds / 1_000
        guard let secret = WebhookSecret(secret),
            let signature = secret.headers(id: call.id, at: seconds, body: call.payload)
        else { return .failed(.unsendable) }
        do throws(TransferError) {
            var headers: [HTTPRequest.Header] = [
                try .init("Content-Type", "application/json"), try .init("User-Agent", "Kith"),
            ]
            for header in signature { headers.append(try .init(header.name, header.value)) }
            let response = try await client.send(
                HTTPRequest(
                    to: Endpoint(url), headers: headers, body: call.payload, addresses: .any,
                    lane: .urgent, authorities: authorities))
            return response.isSuccess ? .init(said: response.body) : .failed(.refused)
        } catch {
            return .failed(DeliveryFailure(error))
        }
    }
}
