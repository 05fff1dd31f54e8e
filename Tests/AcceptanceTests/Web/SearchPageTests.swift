import Browser
import Foundation
import TestSupport
import Testing

/// Search by name, and actions at a point of the map.
@Suite(.timeLimit(.minutes(3)))
struct SearchPageTests {
    @Test func `A person is found with the keyboard alone`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben", "bert")
            try await site.installation.done("ben", "sharing.start", #"{"groups":["\#(group)"]}"#)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            let page = try await site.logIn("ann")
            try await page.says("Sharing", of: "ben")
            try await page.focus(.button("Search"))
            try await page.press("Enter")
            try await page.shows(.field("Search people, places and cities"))
            try await page.type("be")
            try await page.shows(.choice("Ben"))
            // After the results that are known immediately, the cities are listed.
            try await page.sees("Berlin")
            try await page.press("ArrowDown")
            try await page.wait(
                for: "the first result to be named",
                """
                document.getElementById(document.activeElement
                    .getAttribute('aria-activedescendant'))?.textContent.includes('Ben')
                """)
            try await page.press("ArrowDown")
            try await page.press("ArrowUp")
            try await page.press("Enter")
            try await page.shows(.css("li[data-user=ben][data-selected]"))
            #expect(try await page.has(.field("Search people, places and cities")) == false)
        }
    }

    @Test func `A long press on the map saves a place, and a journey goes there`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.click(.button("Skip all"))
            // Where the sheet does not cover the map.
            try await page.touch(x: 150, y: 200, holding: .milliseconds(1200))
            // It is named by the cities around it, as soon as they are known.
            try await page.shows(.button("Copy coordinates"))
            try await page.click(.button("Save place"))
            try await page.type(into: .field("Name"), "Granny's")
            try await page.click(.css("dialog button[type=submit]"))
            try await page.sees("Granny's is saved")
            try await page.click(.button("Journey here"))
            try await page.sees("Destination:")
            try await page.click(.css("form input[name=sends]"))
            try await page.click(.button("Start"))
            try await page.sees("On the way to Granny's")
            let kept = "Object.values(localStorage).join().includes('Granny')"
            try await page.wait(for: "the destination among the recent ones", kept)
            try await page.click(.css(".journey .button:nth-child(3)"))
            try await page.click(.button("Stop the journey"))
            try await page.click(.button("Start a journey"))
            try await page.shows(.button("Granny's"))
            try await page.visit("Me")
            try await page.click(.button("Log out"))
            try await page.shows(.field("User name or email"))
            #expect(try await page.evaluate(kept, as: Bool.self) == false)
        }
    }

    @Test func `The keyboard opens the actions at the middle of the map`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.visitor.grant(
                "clipboardSanitizedWrite", to: String(site.address.dropLast()))
            try await page.focus("#map")
            try await page.press("Enter")
            try await page.click(.button("Copy coordinates"))
            try await page.sees("Copied:")
            try await page.press("Escape")
            try await page.loses("Copy coordinates")
            try await page.click(.button("Search"))
            try await page.type("nobody of this name")
            try await page.sees("No results for “nobody of this name”.")
        }
    }
}
