import Browser
import Foundation
import TestSupport
import Testing

/// The operator's page, behind the operator's token.
@Suite(.timeLimit(.minutes(3)))
struct OperatorPageTests {
    private static let token = Element.field("The operator’s token")
    private let fits = "document.documentElement.scrollWidth <= window.innerWidth"

    private func find(_ user: String, _ name: String, on page: Page) async throws {
        try await page.type(into: .field("The user name begins with"), user)
        try await page.click(.button("Find"))
        try await page.sees("1 person whose user name begins with “\(user)”.")
        try await page.click(.disclosure(name))
    }

    @Test func `A person added by the operator logs in by the link, but not once disabled`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.openOperator(width: 360, height: 740)
            try await page.wait(for: "a page that fits", fits)
            try await page.picture("operator-360")
            try await page.click(.disclosure("Add a person"))
            try await page.type(into: .field("Name that other people see"), "Dana Moss")
            try await page.type(into: .field("User name"), "dana")
            try await page.choose("Family", in: .field("Group"))
            try await page.click(.button("Add and make a link"))
            try await page.sees("dana is added.")
            try await page.sees("dana is in Family.")
            try await page.shows(.css(".link-box .qr path"))
            try await page.wait(for: "a page that fits", fits)
            try await page.picture("operator-link-360")
            let link: String = try await page.evaluate(
                "document.querySelector('.link-box input').value")
            #expect(link.hasPrefix("\(site.address)#/recover/"))
            let hash = try #require(link.split(separator: "#").last)

            let dana = try await site.open(at: "#\(hash)")
            try await dana.type(into: .field("New password"), Website.password)
            try await dana.click(.button("Set the password"))
            try await dana.shows(.link("Chat"))
            let groups = try await site.installation.done("dana", "group.list")["groups"].elements
            #expect(groups.map(\.["name"]) == ["Family"])

            dana.visitor.tolerate { $0.source == .network }
            try await find("dana", "Dana Moss", on: page)
            try await page.click(.button("Disable: dana"))
            try await page.sees("You can enable them again.")
            try await page.click(.button("Disable dana"))
            try await page.sees("dana is disabled.")
            try await page.sees("Disabled since")
            try await dana.shows(.button("Log in"))
            try await dana.type(into: .field("User name or email"), "dana")
            try await dana.type(into: .field("Password"), Website.password)
            try await dana.click(.button("Log in"))
            try await dana.shows(.css("form .error[role=alert]:not(:empty)"))
            try await dana.picture("operator-disabled-person")

            try await page.click(.button("Enable: dana"))
            try await page.sees("People can log in as dana again.")
            try await site.logIn("dana", on: dana)
        }
    }

    @Test func `A removal without the typed name is refused in its dialog`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.openOperator()
            page.visitor.tolerate { $0.source == .network && $0.url.contains("/api/user.add") }
            try await page.click(.disclosure("Add a person"))
            try await page.type(into: .field("Name that other people see"), "Ben")
            try await page.click(.button("Add and make a link"))
            try await page.wait(
                for: "a refusal", "document.querySelector('[name=user]').ariaInvalid === 'true'")
            try await page.click(.disclosure("Add a person"))

            try await find("ben", "Ben", on: page)
            try await page.click(.button("Remove the account: ben"))
            try await page.type(into: .field("Type the user name"), "be")
            try await page.press("Enter")
            try await page.sees("This is not ben.")
            try await page.picture("operator-remove")
            try await page.type(into: .field("Type the user name"), "ben")
            try await page.press("Enter")
            try await page.sees("ben is removed.")
            let left = try await site.installation.kith("user", "list")
            #expect(!left.contains("ben") && left.contains("ann"))
        }
    }

    @Test func `The page shows nothing without the operator's token or once locked`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.open(at: "operator.html")
            page.visitor.tolerate { $0.source == .network && $0.url.hasSuffix("/operator/state") }
            try await page.type(into: OperatorPageTests.token, "nonsense")
            try await page.press("Enter")
            try await page.sees("This is not the operator’s token.")
            for other in [
                try await site.installation.token("ben"), try site.systemToken("metrics"),
            ] {
                try await page.type(into: OperatorPageTests.token, other)
                try await page.press("Enter")
                try await page.wait(
                    for: "a refusal",
                    "document.querySelector('[name=token]').ariaInvalid === 'true'")
                let isOpen = try await page.has(.button("Lock"))
                #expect(!isOpen)
            }
            let token = try site.systemToken("operator")
            try await page.type(into: OperatorPageTests.token, token)
            try await page.press("Enter")
            try await page.sees("Kith is running")
            let places: [String] = try await page.evaluate(
                "[location.href, document.cookie, JSON.stringify({ ...localStorage })]")
            #expect(!places.contains { $0.contains(token) })
            try await page.reload()
            try await page.sees("Kith is running")
            try await page.click(.button("Lock"))
            try await page.shows(OperatorPageTests.token)
            try await page.reload()
            try await page.shows(OperatorPageTests.token)
            let stored: Int = try await page.evaluate("sessionStorage.length")
            #expect(stored == 0)
        }
    }

    @Test func `The start page does not link to the operator's, and the worker caches none of it`()
        async throws
    {
        try await withWebsite(as: .modules) { site in
            let page = try await site.open()
            try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
            let start: String = try await page.evaluate("document.documentElement.outerHTML")
            #expect(!start.contains("operator.html") && !start.contains("js/operator"))
            // Files of another version from the worker would end the page.
            try await page.run(
                """
                for (const name of await caches.keys()) {
                    if (!name.startsWith("kith-")) continue;
                    await (await caches.open(name)).put("/js/dom.js", new Response("throw new Error()", {
                        headers: { "Content-Type": "text/javascript" },
                    }));
                }
                """)
            try await page.go(to: "\(site.address)operator.html")
            try await page.shows(OperatorPageTests.token)
            let kept: [String] = try await page.evaluate(
                """
                (async () => {
                    const caches = await Promise.all((await self.caches.keys())
                        .map((name) => self.caches.open(name)));
                    const requests = await Promise.all(caches.map((cache) => cache.keys()));
                    return requests.flat().map(({ url }) => url).filter((url) => url.includes("operator"));
                })()
                """)
            #expect(kept == [])
        }
    }
}

extension Website {
    /// The token of an account of the system's: `operator`.
    func systemToken(_ name: String) throws -> String {
        try String(contentsOfFile: "\(installation.directory)/tokens/\(name)", encoding: .utf8)
            .trimmed
    }

    /// Opens the operator's page with the token.
    func openOperator(width: Int = 1280, height: Int = 800) async throws -> Page {
        let page = try await open(width: width, height: height, at: "operator.html")
        try await page.type(
            into: .field("The operator’s token"), try systemToken("operator"))
        try await page.press("Enter")
        try await page.sees("Kith is running")
        return page
    }
}
