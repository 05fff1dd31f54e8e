import Foundation
import Mail
import TestBroker
import TestServers
import TestSupport
import Testing
import Transfer

/// Mail through a common mail server.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Exim.isInstalled, "needs exim4"))
struct EximTests {
    private let client = TransferClient()

    private func server(
        _ exim: Exim, security: MailServer.Security = .startTLS, password: String = "secret",
        trusting authorities: String?
    ) throws(TransferError) -> MailServer {
        try MailServer(
            host: "127.0.0.1", port: security == .tls ? exim.securePort : exim.port,
            security: security, login: .init(user: "kith", password: password),
            authorities: authorities)
    }

    private func submission(
        by server: MailServer, to: String = "ann@example.org", _ message: MailMessage
    ) throws(TransferError) -> MailSubmission {
        try MailSubmission(
            by: server, from: "kith@example.org", to: to, message: message.bytes, limits: patient)
    }

    private func message(_ id: String, subject: String = "SOS", text: String = "Help!\n")
        throws -> MailMessage
    {
        try MailMessage(
            from: Mailbox("kith@example.org", name: "Kith"), to: Mailbox("ann@example.org"),
            subject: subject, text: text, id: id, date: 1_795_380_000)
    }

    /// The mails received, once there are that many.
    private func mails(_ count: Int, in exim: Exim) async throws -> [[String: JSON]] {
        let deadline = ContinuousClock.now + patience
        while true {
            let found = try await exim.mails().compactMap {
                if case .object(let mail) = $0 { mail } else { nil }
            }
            if found.count >= count { return found }
            try #require(ContinuousClock.now < deadline, "only \(found.count) mails arrive")
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `A message arrives as it was written, over STARTTLS and over TLS`() async throws {
        let subject = "SOS 🆘: Žan ne odgovarja – prosim, poglejte takoj, kje je in kaj je z njim"
        let text = ".\nFrom Žan = \"naprej\" 🚑 \n..\n" + String(repeating: "é", count: 200) + "\n"
        try await Exim.run { exim in
            for (number, security) in [MailServer.Security.startTLS, .tls].enumerated() {
                let server = try server(exim, security: security, trusting: exim.certificate)
                let message = try message("news.\(number)", subject: subject, text: text)
                #expect(
                    try await client.send(submission(by: server, message)).isAccepted)
            }
            for mail in try await mails(2, in: exim) {
                #expect(mail["subject"] == .string(subject))
                #expect(mail["text"] == .string(text))
                #expect(
                    mail["from"]
                        == .array([.array([.string("Kith"), .string("kith@example.org")])])
                )
                #expect(mail["to"] == .array([.array([.string(""), .string("ann@example.org")])]))
                #expect(mail["date"] == .string("2026-11-22T20:40:00+00:00"))
                #expect(mail["automatic"] == .string("auto-generated"))
                #expect(mail["type"] == .string("text/plain utf-8"))
                #expect(mail["defects"] == .array([]))
            }
        }
    }

    /// A person's or group's name is not a header.
    @Test func `Names and subjects cannot inject headers or messages`() async throws {
        let evil = [
            "Ann\r\nBcc: victim@example.org", "Ann\nBcc: victim@example.org\n\nHello",
            "\r\n.\r\nMAIL FROM:<x@example.org>\r\n", "Ann\" <victim@example.org>, \"", "a\\\"b",
            "=?utf-8?Q?Ann=0D=0ABcc:_victim@example.org?=", "Ann\u{2028}Bcc: x\u{0}\u{7}",
            "(comment) <x@y>, z;", String(repeating: "long ", count: 190),
            "\u{202E}gnp.exe", "",
        ]
        try await Exim.run { exim in
            let server = try server(exim, trusting: exim.certificate)
            for (number, words) in evil.enumerated() {
                let message = try MailMessage(
                    from: Mailbox("kith@example.org", name: words),
                    to: Mailbox("ann@example.org", name: words), subject: words,
                    text: words + "\r\n.\r\nQUIT\r\n", id: "evil.\(number)", date: 0)
                #expect(try await client.send(submission(by: server, message)).isAccepted)
            }
            let mails = try await mails(evil.count, in: exim)
            #expect(mails.count == evil.count)
            for mail in mails {
                #expect(
                    mail["names"]
                        == .array(
                            [
                                "received", "date", "from", "to", "message-id", "subject",
                                "auto-submitted", "mime-version", "content-type",
                                "content-transfer-encoding",
                            ].map(JSON.string)))
                guard case .array(let recipients)? = mail["to"],
                    case .array(let senders)? = mail["from"]
                else { throw NoMails() }
                #expect(recipients.count == 1 && senders.count == 1)
                for case .array(let parts) in recipients {
                    #expect(parts.last == .string("ann@example.org"))
                    #expect(parts.allSatisfy(isWithoutControls))
                }
                #expect(mail["subject"].map(isWithoutControls) == true)
            }
        }
    }

    @Test func `A wrong password, an unknown authority and a refused recipient are distinct`()
        async throws
    {
        try await Exim.run { exim in
            let message = try message("news")
            let trusted = try server(exim, trusting: exim.certificate)
            let wrong = try server(exim, password: "wrong", trusting: exim.certificate)
            let unknown = try server(exim, trusting: nil)
            #expect(
                await failure { () throws(TransferError) in
                    try await client.send(submission(by: wrong, message))
                } == .loginRefused)
            #expect(
                await failure { () throws(TransferError) in
                    try await client.send(submission(by: unknown, message))
                } == .tls)
            let nobody = try await client.send(
                submission(by: trusted, to: "nobody@example.org", message))
            #expect(nobody.code == 550 && !nobody.isTemporary && !nobody.isAccepted)
            let later = try await client.send(
                submission(by: trusted, to: "later@example.org", message))
            #expect(later.code == 451 && later.isTemporary)
            // Exim accepts nothing in the clear from an unknown client.
            let clear = try MailServer(host: "127.0.0.1", port: exim.port, security: .none)
            #expect(try await client.send(submission(by: clear, message)).code == 550)
        }
    }

    /// It immediately delivers only the first ten messages of a connection.
    @Test func `A hundred concurrent messages arrive once each`() async throws {
        try await Exim.run { exim in
            let server = try server(exim, trusting: exim.certificate)
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<100 {
                    let mail = try submission(by: server, message("news.\(number)"))
                    group.addTask { try await client.send(mail).isAccepted }
                }
                for try await isAccepted in group { #expect(isAccepted) }
            }
            let mails = try await mails(100, in: exim)
            let expected = (0..<100).map { JSON.string("<news.\($0)@example.org>") }
            #expect(mails.count == 100)
            #expect(Set(mails.map { $0["id"] ?? .null }) == Set(expected))
        }
    }

    private func isWithoutControls(_ value: JSON) -> Bool {
        guard case .string(let text) = value else { return false }
        return text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }

    private struct NoMails: Error {}
}
