import Browser
import Foundation
import TestBroker
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct ChannelPageTests {
    /// Saves a picture for inspection.
    private func picture(_ page: Page, _ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["KITH_PICTURES"] else { return }
        try await page.run(
            "document.getElementById('channels-title').scrollIntoView({ block: 'start' })")
        try await page.screenshot(to: "\(folder)/\(name).png")
    }

    @Test func `An unreachable receiver is reported, on a small phone`() async throws {
        try await withWebsite(["KITH_CHANNELS_NETWORKS": "127.0.0.0/8"]) { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Me")
            try await page.sees("Nowhere yet")
            try await picture(page, "none-360")
            #expect(try await !page.has(.disclosure("Add an email address")))
            try await page.click(.disclosure("Add a webhook"))
            try await page.type(
                into: .field("Address"), "http://127.0.0.1:\(try reservePort())/kith")
            try await page.click(.button("Add it"))
            try await page.sees("whsec_")
            try await page.sees("not tried yet")
            try await page.click(.button("Test 127.0.0.1"))
            try await page.sees("the receiver does not answer")
            try await picture(page, "failed-360")

            #expect(try await isBelow(page))
            try await page.click(.disclosure("Notify me about"))
            try await page.click(.toggle("Journeys start and arrive"))
            try await picture(page, "news-360")
            _ = try await eventually("the news that were chosen") {
                let list = try await site.installation.done("ann", "channel.list")
                let news = list["channels"].elements.first?["news"].elements.compactMap(\.text)
                return news == ["alerts", "journeys", "notices", "sos"] ? true : nil
            }
            try await page.click(.disclosure("Quiet hours"))
            try await page.type(into: .field("From"), "23:30")
            try await page.click(.button("Save quiet hours"))
            try await page.sees("Quiet hours: 23:30–07:00")
            try await picture(page, "quiet-360")
            let hours = try await site.installation.done("ann", "channel.list")["channels"].elements
                .first
            #expect(hours?["quiet"]["from"].text == "23:30")
            #expect(hours?["quiet"]["to"].text == "07:00")
            try await page.click(.button("No quiet hours for 127.0.0.1"))
            _ = try await eventually("no quiet hours") {
                let list = try await site.installation.done("ann", "channel.list")["channels"]
                return list.elements.count == 1
                    && list.elements.first?["quiet"]["from"].text == nil ? true : nil
            }
            let width: Int = try await page.evaluate("document.documentElement.scrollWidth")
            #expect(width <= 360)
            try await page.resize(width: 1280, height: 900)
            try await picture(page, "news-1280")
            try await page.click(.button("Remove 127.0.0.1"))
            try await page.click(.css("dialog .button.danger"))
            try await page.sees("Nowhere yet")
        }
    }

    @Test func `A pushed message is shown, a check is not`() async throws {
        try await withWebsite(in: .full) { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.visitor.grant("notifications", to: String(site.address.dropLast()))
            let sos = """
                {"id":"a","kind":"sos","at":"2026-05-01T12:00:00.000Z","title":"Ben: SOS",\
                "text":"Ben calls for help","view":"#/alerts","alert":"a"}
                """
            try await shows(["a Ben: SOS Ben calls for help"], on: page, after: sos)
            let unknown = "kith-news Kith Something has happened. Open Kith to see it."
            let both = ["a Ben: SOS Ben calls for help", unknown]
            try await shows(both, on: page, after: "{")
            try await page.push(sos.replacing(#""sos""#, with: #""check""#))
            try await page.wait(for: "nothing of the check") {
                try await notifications(page) == both ? true : nil
            }
        }
    }

    /// Pushes it, again if need be: a browser that lists notifications forgets one that it is about to show.
    private func shows(_ expected: [String], on page: Page, after push: String) async throws {
        try await page.wait(for: "\(expected) after \(push)") {
            try await page.push(push)
            try await Task.sleep(for: .seconds(1))
            return try await notifications(page) == expected ? true : nil
        }
    }

    private func notifications(_ page: Page) async throws -> [String] {
        try await page.notifications(
            "shown.map((each) => `${each.tag} ${each.title} ${each.body}`).sort()")
    }

    @Test func `The page states why it offers no push without a contact for push services`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Me")
            try await page.sees("This installation does not notify browsers")
            #expect(try await !page.has(.button("Notify me in this browser")))
        }
    }

    /// Whether the buttons are below what they are about.
    private func isBelow(_ page: Page) async throws -> Bool {
        try await page.evaluate(
            """
            (() => {
                const row = document.querySelector(".channel > .row");
                const [words, buttons] = [...row.children].map((e) => e.getBoundingClientRect());
                return buttons.top >= words.bottom;
            })()
            """)
    }

    @Test func `A browser without push is reported`() async throws {
        try await withWebsite(["KITH_CHANNELS_CONTACT": "mailto:me@example.org"]) { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            let origin = String(site.address.dropLast())
            try await page.visitor.set("notifications", to: "denied", at: origin)
            try await page.visit("Me")
            try await page.sees("This browser does not allow Kith to notify you.")
            try await picture(page, "denied-360")
        }
    }
}
