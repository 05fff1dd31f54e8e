import Browser
import Foundation
import GRDB
import TestSupport
import Testing

/// Password recovery on the page.
@Suite(.timeLimit(.minutes(3)))
struct ForgottenPageTests {
    private func picture(_ page: Page, _ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["KITH_PICTURES"] else { return }
        try await page.screenshot(to: "\(folder)/\(name).png")
    }

    /// What otherwise takes a code and a week of waiting.
    private func verifyLongAgo(_ user: String, in installation: Installation) throws {
        // The bridge may be writing.
        var configuration = Configuration()
        configuration.busyMode = .timeout(25)
        let file = try DatabaseQueue(
            path: installation.directory + "/kith.db", configuration: configuration)
        try file.write { database in
            try database.execute(
                sql: "UPDATE users SET email_verified_at_ms = 1 WHERE name = ?", arguments: [user])
        }
    }

    @Test func `A user who has forgotten the password gets a link by mail, and is logged in`()
        async throws
    {
        let server = try await MailReceiver.start()
        try await withWebsite(server.settings, knowsAddress: true) { site in
            _ = try await site.family("ben")
            let old = try await site.logIn("ann")
            old.visitor.tolerate { $0.source == .network }
            try verifyLongAgo("ann", in: site.installation)
            let page = try await site.open(width: 360, height: 740)
            try await page.type(into: .field("User name or email"), "ann")
            try await page.click(.button("Forgotten password?"))
            try await picture(page, "forgotten-360")
            for (login, count) in [("nobody", 0), ("ann", 1)] {
                if count == 1 {
                    try await page.click(.button("Back to login"))
                    try await page.click(.button("Forgotten password?"))
                }
                try await page.type(into: .field("User name or email"), login)
                try await page.click(.button("Send me a link"))
                try await page.sees("If the account exists")
            }
            try await picture(page, "forgotten-sent-360")
            let width: Int = try await page.evaluate("document.documentElement.scrollWidth")
            #expect(width <= 360)
            let mail = try await eventually("a mail") {
                server.mails.first { $0["text"].text?.contains("#/recover/") == true }
            }
            #expect(mail["to"].text == "ann@example.org")
            let text = mail["text"].text ?? ""
            let start = try #require(text.range(of: site.address + "#/recover/")?.upperBound)
            let hash = "#/recover/" + text[start...].prefix { !$0.isWhitespace }
            try await old.visit("People")
            try await old.sees("A new password was requested for your account.")

            let fresh = try await site.open(width: 360, height: 740, at: hash)
            try await fresh.type(into: .field("New password"), "battery staple")
            try await fresh.click(.button("Set the password"))
            try await fresh.shows(.link("Chat"))
            // The earlier session is logged out.
            try await old.shows(.button("Log in"))
            try await site.logIn("ann", "battery staple", on: page.visitor.open(site.address))
            #expect(server.mails.count { $0["text"].text?.contains("#/recover/") == true } == 1)
            let secret = hash.dropFirst("#/recover/".count)
            let log = await site.installation.log
            #expect(!log.contains { $0.contains(secret) })
        }
        await server.stop()
    }

    @Test func `The account's address is verified with a code, from the profile`() async throws {
        let server = try await MailReceiver.start()
        try await withWebsite(server.settings, knowsAddress: true) { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.visit("Me")
            try await page.sees("This address is not verified.")
            try await page.click(.button("Verify this address"))
            let code = try await eventually("a mail with a code") {
                server.mails.filter { $0["to"].text == "ann@example.org" }
                    .flatMap { ($0["text"].text ?? "").split { !$0.isNumber } }
                    .first { $0.count == 8 }
            }
            try await page.type(into: .field("The code sent there"), String(code))
            try await page.click(.button("Confirm"))
            _ = try await eventually("the address is verified") {
                try await !page.has(.button("Verify this address")) ? true : nil
            }
        }
        await server.stop()
    }

    @Test func `The page offers no password link where no mail is sent`() async throws {
        try await withWebsite { site in
            let page = try await site.open()
            try await page.sees("Forgotten password? Ask the operator of this server")
            #expect(try await !page.has(.button("Forgotten password?")))
        }
    }
}
