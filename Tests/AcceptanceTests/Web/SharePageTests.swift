import Browser
import Foundation
import TestSupport
import Testing

/// Links for people without an account.
@Suite(.timeLimit(.minutes(3)))
struct SharePageTests {
    private let fits = "document.documentElement.scrollWidth <= window.innerWidth"

    /// The link that is shown, without the page's address.
    private func path(on page: Page) async throws -> String {
        try await page.shows(.css(".link-box .qr path"))
        let link: String = try await page.evaluate(
            "new URL(document.querySelector('.link-box input').value).href"
                + ".slice(location.origin.length + 1)")
        return link
    }

    private func fix(_ site: Website, _ latitude: Double) async throws {
        let now = Int(Date().timeIntervalSince1970 * 1000)
        try await site.installation.publish(
            Topic.fix("ann"),
            #"{"latitude":\#(latitude),"longitude":7.5,"accuracy":8,"timestamp":\#(now)}"#)
    }

    @Test func `A visitor without an account sees where she is, until she ends the link`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await fix(site, 46.5)
            let ann = try await site.logIn("ann", width: 360, height: 740)
            try await ann.visit("People")
            try await ann.click(.button("Make a link"))
            let path = try await path(on: ann)
            try await ann.wait(for: "a page that fits", fits)
            try await ann.picture("share-made")
            try await ann.sees("Not opened yet")
            try await ann.sees("Anyone with your link")

            let viewer = try await site.open(width: 360, height: 740, at: path)
            try await viewer.sees("Where Ann Lake is")
            try await viewer.sees("Ann Lake was here")
            try await viewer.wait(for: "a page that fits", fits)
            try await viewer.wait(for: "the place", "document.querySelector('.me-dot')")
            try await viewer.picture("share-seen")
            try await ann.visit("Map")
            try await ann.visit("People")
            try await ann.sees("Opened once")

            viewer.visitor.tolerate { $0.url.contains("/api/") }
            try await ann.click(.button("End"))
            try await ann.sees("That link no longer shows anything.")
            try await viewer.sees("This link no longer shows anything.")
            try await viewer.wait(for: "no place", "!document.querySelector('.me-dot')")
            try await viewer.picture("share-ended")
            let late = try await site.open(width: 360, height: 740, at: path)
            late.visitor.tolerate { $0.url.contains("/api/") }
            try await late.sees("It has ended.")
        }
    }

    @Test func `A user with too many links sees an error`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let until = Int(Date().timeIntervalSince1970 * 1000) + 3_600_000
            for _ in 1...20 {
                try await site.installation.done(
                    "ann", "share.create", #"{"what":"position","until":\#(until)}"#)
            }
            let page = try await site.logIn("ann", width: 360, height: 740)
            page.visitor.tolerate { $0.url.hasSuffix("share.create") }
            try await page.visit("People")
            try await page.sees("Not opened yet")
            try await page.click(.button("Make a link"))
            try await page.shows(.css("[aria-labelledby=links-title] [role=alert]:not(:empty)"))
            // It is still there once everything else has been requested again.
            try await Task.sleep(for: .seconds(1))
            let problem: String = try await page.evaluate(
                "document.querySelector('[aria-labelledby=links-title] [role=alert]').innerText")
            #expect(problem != "")
        }
    }

    @Test func `A journey is shown by a link, which expires`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            try await fix(site, 46.5)
            let eta = Int(Date().timeIntervalSince1970 * 1000) + 1_800_000
            _ = try await site.installation.done(
                "ann", "journey.start",
                """
                {"groups":["\(group)"],"eta":\(eta),\
                "destination":{"latitude":46.52,"longitude":7.52,"name":"Home"}}
                """)
            let ann = try await site.logIn("ann", width: 360, height: 740)
            try await ann.click(.button("Share by link"))
            let path = try await path(on: ann)
            try await ann.picture("trip-made")
            let viewer = try await site.open(width: 360, height: 740, at: path)
            try await viewer.sees("Ann Lake’s journey")
            try await viewer.sees("On the way to Home, expected at")
            try await viewer.picture("trip-seen")
            _ = try await site.installation.done("ann", "journey.stop", "{}")
            try await viewer.sees("The journey is no longer shown.")

            let end = Int(Date().timeIntervalSince1970 * 1000) + 120_000
            let short = try await site.installation.done(
                "ann", "share.create", #"{"what":"position","until":\#(end)}"#)
            let second = try await site.open(at: String((short["path"].text ?? "").dropFirst()))
            second.visitor.tolerate { $0.url.contains("/api/") }
            try await second.sees("Where Ann Lake is")
            // Whatever the service sends by then, the page knows when it is over.
            try await second.run("{ const now = Date.now; Date.now = () => now() + 130_000 }")
            try await second.sees("This link no longer shows anything.")
        }
    }
}
