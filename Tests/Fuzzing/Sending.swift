import Mail
import Transfer
import WebPush
import Webhooks

/// Where people want to be reached, and their names there.
enum Sending {
    /// Lines: an endpoint, two keys of a subscription, a secret of a webhook, a block of addresses, a
    /// mail address, a name; the rest is a text.
    static func read(_ bytes: [UInt8]) throws {
        let lines = Lines(7, of: bytes)
        try readEndpoint(lines.heads[0], p256dh: lines.heads[1], auth: lines.heads[2])
        if let secret = WebhookSecret(lines.heads[3]) {
            try expect(
                WebhookSecret(secret.text)?.text == secret.text, "a secret reads as it is printed")
        }
        if let block = AddressBlock(lines.heads[4]) {
            try expect(block.contains(block.address), "a block has its own address")
        }
        try write(
            address: lines.heads[5], name: lines.heads[6],
            text: String(decoding: lines.rest, as: UTF8.self))
    }

    private static func readEndpoint(_ url: String, p256dh: String, auth: String) throws {
        var endpoint: Endpoint?
        do { endpoint = try Endpoint(url) } catch {}
        if let endpoint {
            try expect(
                !endpoint.host.isEmpty && (1...65_535).contains(endpoint.port)
                    && !url.utf8.contains { $0 < 0x20 }, "an endpoint has a host and a port")
        }
        guard let subscription = try? PushSubscription(endpoint: url, p256dh: p256dh, auth: auth)
        else { return }
        try expect(subscription.origin.hasPrefix("https://"), "an origin is of https")
        // Only what libcurl reads as well is ever sent.
        if let endpoint {
            let port = endpoint.port == 443 ? "" : ":\(endpoint.port)"
            let origin = "https://\(endpoint.host)\(port)"
            try expect(
                endpoint.isEncrypted && IPAddress(endpoint.host) != nil
                    || subscription.origin == origin, "an origin is where the message goes")
        }
    }

    private static func write(address: String, name: String, text: String) throws {
        guard let mailbox = try? Mailbox(address, name: name),
            let message = try? MailMessage(
                from: mailbox, to: mailbox, subject: name, text: text, id: "a", date: 0)
        else { return }
        let server = try MailServer(host: "localhost", port: 25, security: .none)
        let mail = try MailSubmission(
            by: server, from: mailbox.address, to: mailbox.address, message: message.bytes)
        let lines = mail.message.split(separator: UInt8(ascii: "\n"))
        try expect(
            lines.allSatisfy {
                $0.count <= 300 && $0.allSatisfy { $0 == 9 || $0 == 13 || 32...126 ~= $0 }
            },
            "a message is lines of ASCII")
        let head = lines.prefix { $0 != [13] }.filter { $0.first != UInt8(ascii: " ") }
        try expect(head.count == 9, "no words make a header")
    }
}
