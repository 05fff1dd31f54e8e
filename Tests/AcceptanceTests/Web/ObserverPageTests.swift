import Browser
import Foundation
import TestBroker
import TestSupport
import Testing

/// Programs that see what a group sees, on the page.
@Suite(.timeLimit(.minutes(3)))
struct ObserverPageTests {
    private let fits = "document.documentElement.scrollWidth <= window.innerWidth"

    /// Whether the broker admits the program, and what it receives of the group.
    private func listen(_ site: Website, _ group: String, _ token: String) async throws -> Ending {
        let username = String(token.prefix { $0 != "." })
        return try await Program.run(
            "mosquitto_sub",
            [
                "-p", "\(site.installation.port)", "-u", username, "-P", token, "-t",
                "kith/groups/\(group)/members/+", "-C", "1", "-W", "25",
            ])
    }

    @Test func `A member adds an observer, the others are notified, see it and end it`()
        async throws
    {
        try await withWebsite { site in
            let group = try await site.family()
            try await site.register("ben")
            try await site.installation.kith("group", "add", group, "ben")
            let ben = try await site.logIn("ben", width: 360, height: 740)
            let ann = try await site.logIn("ann", width: 360, height: 740)
            try await ann.click(.link("Manage groups"))
            try await ann.click(.disclosure("Let a program see this group"))
            try await ann.type(into: .field("Program name"), "Hall display")
            try await ann.click(.button("Let it see the group"))
            try await ann.sees("Hall display can see the group")
            try await ann.sees("by Ann Lake, since")
            try await ann.click(.disclosure("Home Assistant"))
            try await ann.click(.disclosure("Another MQTT program"))
            try await ann.wait(for: "a page that fits", fits)
            try await ann.picture("observer-made")
            let token: String = try await ann.evaluate(
                "[...document.querySelectorAll('.copy code')].map((each) => each.textContent)"
                    + ".find((text) => text.startsWith('observer:'))")
            let seen = try await listen(site, group, token)
            #expect(seen.output.contains(#""state":"inactive""#), "\(seen)")

            try await ben.sees("Hall display, a program, sees what Family sees.")
            try await ben.visit("People")
            try await ben.sees(
                "Ann Lake added a program that sees what the group Family sees: Hall display.")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await ben.sees("1 person and 1 program see your position as it arrives.")
            try await ben.sees("a program added by Ann Lake that sees what Family sees, since")
            try await ben.wait(for: "a page that fits", fits)
            try await ben.picture("observer-watching")
            try await ben.click(.button("End Hall display"))
            try await ben.sees("not who ended it")
            try await ben.click(.button("End"))
            try await ben.sees("Hall display no longer sees anything.")
            try await ben.sees("1 person sees your position as it arrives.")
            let ended = try await listen(site, group, token)
            #expect(ended.output == "" && ended.errors.contains("not authorised"), "\(ended)")

            // Its display is gone, and she is notified.
            try await ann.wait(
                for: "no token",
                "![...document.querySelectorAll('.copy code')].some((each) => each.offsetParent)")
            try await ann.visit("People")
            try await ann.sees("Your program Hall display was ended")
        }
    }

    @Test func `After a device logout its owner sees what still sees them, and ends it`()
        async throws
    {
        try await withWebsite { site in
            let group = try await site.family("ben")
            // By the person who has the phone.
            try await site.installation.done(
                "ann", "observer.create", #"{"group":"\#(group)","name":"Hall display"}"#)
            let end = Date.now.addingTimeInterval(3_600).ISO8601Format()
            try await site.installation.done(
                "ann", "share.create", #"{"what":"position","until":"\#(end)"}"#)
            let link = try await site.installation.done(
                "ben", "group.invite", #"{"group":"\#(group)"}"#)["path"]
            let ann = try await site.logIn("ann", width: 360, height: 740)
            try await ann.visit("Me")
            try await ann.click(.button("Log out phone"))
            try await ann.click(.button("Log it out"))
            try await ann.sees("These links and programs still show where you are.")
            try await ann.sees("Where I am, until")
            try await ann.sees("a program added by Ann Lake that sees what Family sees, since")
            try await ann.wait(for: "a page that fits", fits)
            try await ann.picture("observer-after-revoking")
            try await ann.click(.button("End"))
            try await ann.sees("That link no longer shows anything.")
            try await ann.click(.button("End Hall display"))
            try await ann.click(.button("End"))
            try await ann.sees("Hall display no longer sees anything.")
            try await ann.wait(
                for: "nothing that sees her",
                "!document.body.innerText.includes('still show where you are')")
            try await ann.visit("People")
            try await ann.sees(
                "You added a program that sees what the group Family sees: Hall display.")

            try await site.installation.done(
                "ben", "observer.create", #"{"group":"\#(group)","name":"Kitchen"}"#)
            let hash = try #require(link.text?.split(separator: "#").last)
            let page = try await site.open(width: 360, height: 740, at: "#\(hash)")
            try await page.sees("Kitchen, a program, sees what Family sees.")
            try await page.wait(for: "a page that fits", fits)
            try await page.picture("invited-watched")
        }
    }
}
