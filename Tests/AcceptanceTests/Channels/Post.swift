import Crypto
import Foundation
import TestBroker
import TestServers
import TestSupport
import Testing

/// Receivers of every kind for people who have nothing open: a push service, a web server and a mail
/// server, and a bridge that may send to them.
struct Post {
    let installation: Installation
    let exim: Exim
    /// Of the push service and the web server.
    let identity: (certificate: String, key: String)

    /// - Parameter settings: beside those for the receivers.
    static func run(
        _ settings: [String: String] = [:], _ body: (Post) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let identity = try await makeCertificate(in: directory)
            try await Exim.run { exim in
                let post = [
                    "KITH_CHANNELS_NETWORKS": "127.0.0.0/8",
                    "KITH_CHANNELS_CONTACT": "mailto:operator@example.org",
                    "KITH_CHANNELS_AUTHORITIES": identity.certificate,
                    "KITH_MAIL_HOST": "127.0.0.1", "KITH_MAIL_PORT": "\(exim.port)",
                    "KITH_MAIL_FROM": "kith@example.org", "KITH_MAIL_USERNAME": "kith",
                    "KITH_MAIL_PASSWORD": "secret", "KITH_MAIL_AUTHORITIES": exim.certificate,
                ]
                try await withInstallation(settings.merging(post) { $1 }) { installation in
                    try await body(Post(installation: installation, exim: exim, identity: identity))
                }
            }
        }
    }

    // MARK: Channels

    /// - Returns: the channel's id.
    @discardableResult
    func addPush(_ browser: BrowserSide, at endpoint: String, of user: String) async throws
        -> String
    {
        let subscription = browser.json(endpoint)
        let added = try await installation.done(
            user, "channel.add", #"{"kind":"push","subscription":\#(subscription)}"#)
        return try #require(added["channel"]["channel"].text)
    }

    /// - Returns: the secret that messages are signed with.
    @discardableResult
    func addWebhook(_ url: String, of user: String) async throws -> String {
        let added = try await installation.done(
            user, "channel.add", #"{"kind":"webhook","url":"\#(url)"}"#)
        return try #require(added["secret"].text)
    }

    /// The address is confirmed with the code that is sent there.
    func addMail(_ address: String, of user: String) async throws {
        let added = try await installation.done(
            user, "channel.add", #"{"kind":"mail","address":"\#(address)"}"#)
        let id = try #require(added["channel"]["channel"].text)
        let mail = try await eventually("the mail with the code") {
            try await mails(to: address).first { $0["subject"].text?.contains("code") == true }
        }
        let code = try #require(mail["subject"].text?.firstMatch(of: /\d{6,}/)).output
        try await installation.done(
            user, "channel.confirm", #"{"channel":"\#(id)","code":"\#(code)"}"#)
    }

    func mails(to address: String) async throws -> [JSON] {
        try await exim.mails().filter { $0["to"].elements.first?.elements.last?.text == address }
    }

    func channels(of user: String) async throws -> [JSON] {
        try await installation.done(user, "channel.list")["channels"].elements
    }

    // MARK: Calls

    /// - Returns: the alert's id.
    func trigger(_ number: Int = 1) async throws -> String {
        let call = #"{"id":"sos \#(number)","fix":{"latitude":46.0501,"longitude":14.5002}}"#
        try await installation.done("ann", "sos.trigger", call)
        let group = try await installation.done("ann", "group.list")["groups"].elements[0]["group"]
        let alerts = try await installation.done(
            "ann", "alert.list", #"{"group":"\#(group.text ?? "")","limit":1}"#)
        return try #require(alerts["alerts"].elements.first?["id"].text)
    }
}

/// A message as a ``Receiver`` received it.
extension JSON {
    var bytes: [UInt8] {
        self["raw"].text.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []
    }

    /// What the browser shows; null if it cannot read it.
    func opened(by browser: BrowserSide) -> JSON {
        do {
            return JSON(parsing: String(decoding: try browser.decrypt(bytes), as: UTF8.self))
        } catch {
            return .null
        }
    }

    /// Whether the owner of the webhook's secret finds it genuine (Standard Webhooks).
    func isSigned(with secret: String) -> Bool {
        guard let key = Data(base64Encoded: String(secret.trimmingPrefix("whsec_"))),
            let id = self["headers"]["webhook-id"].text,
            let time = self["headers"]["webhook-timestamp"].text
        else { return false }
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(id).\(time).".utf8) + bytes, using: SymmetricKey(data: key))
        return self["headers"]["webhook-signature"].text
            == "v1," + Data(code).base64EncodedString()
    }
}
