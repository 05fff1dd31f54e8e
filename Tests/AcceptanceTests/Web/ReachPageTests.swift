import Browser
import Foundation
import TestSupport
import Testing

/// The group members whom an SOS would reach, on the page.
@Suite(.timeLimit(.minutes(3)))
struct ReachPageTests {
    private func picture(_ page: Page, _ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["KITH_PICTURES"] else { return }
        try await page.run("document.querySelector('.reach').scrollIntoView({ block: 'start' })")
        try await page.screenshot(to: "\(folder)/\(name).png")
    }

    private func reach(on page: Page) async throws -> String {
        try await page.text(of: .css(".reach [aria-label='Who an SOS would reach']"))
            .split(separator: "\n").joined(separator: " ")
    }

    @Test func `A group's page shows whom an SOS would reach, and how`() async throws {
        try await withWebsite(["KITH_CHANNELS_NETWORKS": "127.0.0.0/8"]) { site in
            _ = try await site.family("ben", "cleo", "dora")
            let receiver = try await Receiver.start()
            let added = try await site.installation.done(
                "ben", "channel.add", #"{"kind":"webhook","url":"\#(receiver.url)"}"#)
            let id = try #require(added["channel"]["channel"].text)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.click(.link("Manage groups"))
            try await page.click(.disclosure("Who an SOS would reach"))
            try await page.sees("by webhook (not tried yet)")
            try await page.sees("An SOS now would reach 0 of the 3 others")

            try await site.installation.done("ben", "channel.test", #"{"channel":"\#(id)"}"#)
            _ = try await eventually("a webhook that worked") {
                let list = try await site.installation.done("ben", "channel.list")["channels"]
                    .elements
                return list.first { $0["workedAt"] != .null }
            }
            _ = try await site.installation.phone(of: "cleo")
            try await page.click(.button("Check again"))
            try await page.sees("An SOS now would reach 1 of the 3 others")
            let shown = try await reach(on: page)
            #expect(
                shown.contains("Ben by webhook (worked within the last hour) Cleo only while they")
                    && shown.contains("Dora not reachable until they open Kith")
                    && shown.contains(
                        "Ann Lake (you) If someone else calls: only while you have a page or app"
                    ),
                "\(shown)")
            try await picture(page, "reach-360")
            let width: Int = try await page.evaluate("document.documentElement.scrollWidth")
            #expect(width <= 360)
            try await page.resize(width: 1280, height: 900)
            try await picture(page, "reach-1280")
            await receiver.stop()
        }
    }
}
