import Clocks
import Contract
import Mail
import Store
import Tracking
import Transfer

/// Sends through the operator's mail server.
struct MailSender: ChannelSender {
    private let client: TransferClient
    private let mail: ChannelSettings.Mail
    private let page: String?

    init(_ client: TransferClient, _ mail: ChannelSettings.Mail, page: String?) {
        (self.client, self.mail, self.page) = (client, mail, page)
    }

    func send(_ delivery: Delivery) async throws(DeliveryFailure) -> DeliveryOutcome.Result {
        let message = try message(delivery)
        let reply = try await transfer { () async throws(TransferError) in
            try await client.send(
                MailSubmission(
                    by: mail.server, from: mail.from, to: delivery.address, message: message,
                    lane: delivery.lane))
        }
        if reply.isAccepted { return .delivered }
        if reply.isTemporary { return .failed(.refused, after: nil) }
        return .failed(reply.isAboutRecipient ? .gone : .mailServer, after: nil)
    }

    private func message(_ delivery: Delivery) throws(DeliveryFailure) -> [UInt8] {
        let message = delivery.message
        let link = page.map { "\n\n\($0)/\(message.view)" } ?? ""
        do throws(MailError) {
            return try MailMessage(
                from: Mailbox(mail.from, name: "Kith"), to: Mailbox(delivery.address),
                subject: message.title, text: message.text + link + "\n",
                id: "\(message.id).\(delivery.channel)",
                date: ClockReading.now.wall.milliseconds / 1000,
                isUrgent: delivery.urgency == .sos
            ).bytes
        } catch {
            throw .unsendable
        }
    }
}
