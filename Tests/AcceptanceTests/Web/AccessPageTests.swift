import Browser
import Foundation
import TestSupport
import Testing

/// Ways into an account on the page.
@Suite(.timeLimit(.minutes(3)))
struct AccessPageTests {
    /// The link that the operator's command prints.
    private func link(_ site: Website, to user: String) async throws -> String {
        let link = try await site.installation.kith(
            "user", "invite", user, "--page", String(site.address.dropLast()))
        try #require(link.hasPrefix(site.address + "#/recover/"), "\(link)")
        return link
    }

    @Test func `A user added by the operator opens a link, chooses a password and is logged in`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let link = try await link(site, to: "ben")
            let hash = String(link.dropFirst(site.address.count))
            let page = try await site.open(width: 360, height: 740, at: hash)
            page.visitor.tolerate { $0.url.contains("/api/account.recover") }
            try await page.type(into: .field("New password"), "short")
            try await page.click(.button("Set the password"))
            try await page.sees("Must have at least 8 characters.")
            // The token is on no screen, and in no history.
            #expect(try await page.evaluate("location.hash") == "")
            try await page.type(into: .field("New password"), "battery staple")
            try await page.click(.button("Set the password"))
            try await page.shows(.link("Chat"))
            try await page.wait(for: "a live page", "document.body.innerText.includes('Live')")

            let other = try await site.open(at: hash)
            other.visitor.tolerate { $0.url.contains("/api/account.recover") }
            try await other.type(into: .field("New password"), "stolen horse")
            try await other.click(.button("Set the password"))
            try await other.sees("The link has been used")
            try await other.click(.button("Log in instead"))
            try await site.logIn("ben", "battery staple", on: other)
        }
    }

    /// What an authenticator app shows, this many steps from now.
    private func code(of secret: String, on page: Page, later steps: Int = 0) async throws -> String
    {
        try await page.evaluate(
            """
            (async () => {
                const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
                const bits = [...\(Page.quoted(secret))]
                    .map((each) => alphabet.indexOf(each).toString(2).padStart(5, "0")).join("");
                const key = Uint8Array.from(bits.match(/.{8}/g), (each) => parseInt(each, 2));
                const counter = new DataView(new ArrayBuffer(8));
                counter.setUint32(4, Math.floor(Date.now() / 30000) + \(steps));
                const hmac = await crypto.subtle.importKey(
                    "raw", key, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
                const mac = new DataView(await crypto.subtle.sign("HMAC", hmac, counter.buffer));
                const word = mac.getUint32(mac.getUint8(19) & 15) & 0x7fffffff;
                return String(word % 1000000).padStart(6, "0");
            })()
            """)
    }

    @Test func `A second factor is set up, required and turned off`() async throws {
        try await withWebsite(as: .modules) { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            page.visitor.tolerate { $0.source == .network }
            try await page.visit("Me")
            try await page.click(.disclosure("Second factor"))
            try await page.type(
                into: .css("details[open] input[name=password]"), Website.password)
            try await page.click(.button("Set it up"))
            try await page.sees("Open the app here")
            try await page.shows(.css("details[open] svg.qr path"))
            if let folder = ProcessInfo.processInfo.environment["KITH_PICTURES"] {
                try await page.resize(width: 360, height: 740)
                try await page.run("document.querySelector('.qr').scrollIntoView()")
                try await page.screenshot(to: "\(folder)/totp-360.png")
                try await page.resize(width: 1280, height: 800)
            }
            let shown = try await page.text(of: .css("details[open] code"))
            let secret = shown.replacing(" ", with: "")
            #expect(secret.count == 32)
            // The drawing contains what the button opens, with this key.
            let isDrawn: Bool = try await page.evaluate(
                """
                (async () => {
                    const { encode } = await import("/js/qr-image.js");
                    const { href } = document.querySelector("details[open] a[href^=otpauth]");
                    const dark = (await encode(href)).flatMap((row, y) => row.flatMap((isDark, x) =>
                        isDark ? `M${x + 4} ${y + 4}h1v1h-1z` : []));
                    const drawn = document.querySelector("details[open] svg.qr path");
                    return href.includes("secret=\(secret)")
                        && drawn.getAttribute("d") === dark.join("");
                })()
                """)
            #expect(isDrawn)
            try await page.type(
                into: .field("The code shown in the app"), code(of: secret, on: page))
            try await page.click(.button("Turn it on"))
            try await page.sees("Write these down")
            let codes: Int = try await page.evaluate(
                "document.querySelectorAll('[aria-label=\"Recovery codes\"] code').length")
            #expect(codes == 10)
            let recovery = try await page.text(of: .css("[aria-label='Recovery codes'] code"))

            let other = try await site.open(width: 360, height: 740)
            other.visitor.tolerate { $0.source == .network }
            try await other.type(into: .field("User name or email"), "ann")
            try await other.type(into: .field("Password"), Website.password)
            try await other.click(.button("Log in"))
            let field = Element.field("Code from your app, or a recovery code")
            try await other.shows(field)
            try await other.type(into: field, recovery)
            try await other.click(.button("Log in"))
            try await other.shows(.link("Chat"))

            // The next step's code: the one before may have been used just now.
            try await page.click(.button("I have written them down"))
            try await page.type(
                into: .css("details[open] input[name=password]"), Website.password)
            try await page.type(into: field, code(of: secret, on: page, later: 1))
            try await page.click(.button("Turn it off"))
            try await page.sees("Logging in no longer needs a code.")
        }
    }

    @Test func `Terms are shown at registration, and required again when they change`() async throws
    {
        try await withTemporaryDirectory { directory in
            let file = directory + "/terms.txt"
            try "Be kind to <b>each other</b>.".write(
                toFile: file, atomically: true, encoding: .utf8)
            let settings = ["KITH_TERMS_VERSION": "2", "KITH_WEB_TERMS": file]
            try await withWebsite(settings) { site in
                let guest = try await site.open()
                try await guest.click(.button("Create account"))
                try await guest.shows(.link("Terms"))
                #expect(try await guest.has(.link("Privacy statement")) == false)
                let text: String = try await guest.evaluate(
                    """
                    fetch("/terms").then(async (answer) =>
                        `${answer.headers.get("Content-Type")}: ${await answer.text()}`)
                    """)
                #expect(text == "text/plain; charset=utf-8: Be kind to <b>each other</b>.")

                _ = try await site.family("ben")
                let link = try await link(site, to: "ben")
                let page = try await site.open(
                    width: 360, height: 740, at: String(link.dropFirst(site.address.count)))
                try await page.type(into: .field("New password"), "battery staple")
                try await page.click(.button("Set the password"))
                try await page.sees("This server has terms.")
                // They prevent nothing.
                try await page.shows(.button("SOS"))
                try await page.click(.button("Agree"))
                try await page.loses("This server has terms.")
                let account = try await site.installation.done("ben", "account.get")
                #expect(account["terms"]["accepted"]["version"] == "2")
                // Ann accepted them when she registered.
                let ann = try await site.logIn("ann")
                #expect(try await ann.has(.button("Agree")) == false)
            }
        }
    }

    @Test func `A device that is logged out is removed`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await site.installation.kith("user", "token", "ann", "old-phone")
            try await page.visit("Me")
            try await page.click(.button("Log out old-phone"))
            try await page.click(.css("dialog .button.danger"))
            try await page.click(.button("Remove old-phone"))
            try await page.click(.button("Remove it"))
            try await page.loses("old-phone")
        }
    }
}
