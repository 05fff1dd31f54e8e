import Browser
import Foundation
import TestBroker
import TestSupport
import Testing

/// `kith web`, with a bridge and its broker behind it, and a browser in front of it.
struct Website {
    let installation: Installation
    let browser: Browser
    /// Ends with a slash.
    let address: String
    let port: String
    let web: RunningProgram

    static let password = "correct horse"

    // MARK: People

    /// Registers over MQTT.
    func register(_ user: String, _ first: String? = nil, _ last: String = "Lake") async throws {
        let reply = try await registering(user, first ?? user.capitalized, last)
        try #require(reply["result"]["user"].text == user, "\(reply)")
    }

    /// - Returns: the reply.
    func registering(_ user: String, _ first: String, _ last: String) async throws -> JSON {
        let guest = "guest-\(UUID())"
        let form = try JSONEncoder().encode([
            "username": user, "email": "\(user)@example.org", "password": Website.password,
            "firstName": first, "lastName": last,
        ])
        let fields = String(decoding: form, as: UTF8.self).dropLast() + ",\"acceptTerms\":true}"
        let reply = try await Program.succeed(
            "mosquitto_rr",
            [
                "-p", "\(installation.port)", "-V", "5", "-q", "1", "-i", guest, "-W", "25",
                "-t", "kith/guests/\(guest)/requests/account.register",
                "-e", "kith/guests/\(guest)/replies", "-m", String(fields),
            ])
        return JSON(parsing: reply)
    }

    /// Sets up Ann, who has an account for the page, and others who only have phones.
    ///
    /// - Returns: the id of their group, `Family`.
    func family(_ others: String...) async throws -> String {
        try await register("ann")
        for user in others {
            try await installation.kith("user", "add", user, "--name", user.capitalized)
        }
        let group = try await installation.kith("group", "create", "Family", "ann")
        for user in others { try await installation.kith("group", "add", group, user) }
        return group
    }

    // MARK: Pages

    /// Opens the page for the first time.
    func open(width: Int = 1280, height: Int = 800, at hash: String = "") async throws -> Page {
        let visitor = try await browser.visitor()
        // No one is logged in yet; the browser logs that response as an error.
        visitor.tolerate {
            $0.source == .network && $0.url.hasSuffix("/session") && $0.text.contains("401")
        }
        return try await visitor.open(address + hash, width: width, height: height)
    }

    /// Kills the page's server once the page opens without it: an interrupted installation of the
    /// worker is an error.
    func endWeb(of page: Page) async throws {
        try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
        await web.kill()
    }

    /// Logs in with the form, and waits for the map.
    func logIn(
        _ user: String, _ password: String = Website.password, width: Int = 1280,
        height: Int = 800
    ) async throws -> Page {
        let page = try await open(width: width, height: height)
        try await logIn(user, password, on: page)
        return page
    }

    func logIn(_ user: String, _ password: String = Website.password, on page: Page) async throws {
        try await page.type(into: .field("User name or email"), user)
        try await page.type(into: .field("Password"), password)
        try await page.click(.button("Log in"))
        try await page.shows(.link("Chat"))
        try await page.wait(for: "a live page", "document.body.innerText.includes('Live')")
    }
}

extension Page {
    /// A member's text in the list beside the map.
    func row(of user: String) async throws -> String {
        try await text(of: .css("li[data-user='\(user)']"))
    }

    /// Waits until the list has this text for a member.
    func says(_ text: String, of user: String) async throws {
        try await wait(
            for: "“\(text)” of \(user)",
            Page.read("document.querySelector(\"li[data-user='\(user)']\").innerText")
                + ".includes(\(Page.quoted(text)))")
    }

    /// For inspection: into a folder for pictures, if one is named.
    func picture(_ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["KITH_PICTURES"] else { return }
        try await screenshot(to: "\(folder)/\(name).png")
    }

    /// Goes to a view by its link.
    func visit(_ view: String) async throws {
        try await click(.link(view))
        try await wait(
            for: "the view \(view)",
            "document.querySelector('nav [aria-current=page]')?.textContent.includes('\(view)')")
    }
}

/// Runs `body` with everything that a page needs; also fails if a page has a complaint.
///
/// - Parameters:
///   - hasName: whether the page is known by the name `localhost`, and not by its address alone.
///   - knowsAddress: whether it knows where it is, as it must for links in mails.
func withWebsite(
    _ settings: [String: String] = [:], hasName: Bool = false, knowsAddress: Bool = false,
    in build: BrowserBuild = .headlessShell, as form: PageForm = .bundle,
    _ body: (Website) async throws -> Void
) async throws {
    // One to which it can return.
    let port = "\(try reservePort())"
    let host = hasName ? "localhost" : knowsAddress ? "127.0.0.1" : nil
    let origin = host.map { ["KITH_WEB_ORIGIN": "http://\($0):\(port)"] } ?? [:]
    let settings = settings.merging(origin) { $1 }
    try await withInstallation(settings) { installation in
        try await installation.start()
        let web = try await installation.openPage(port: port, settings, as: form)
        do {
            try await withBrowser(build) { browser in
                let named = try #require(web.address)
                let address = named.hasSuffix("/") ? named : named + "/"
                try await body(
                    Website(
                        installation: installation, browser: browser, address: address, port: port,
                        web: web.program))
            }
        } catch {
            await web.program.kill()
            throw error
        }
        await web.program.kill()
    }
}
