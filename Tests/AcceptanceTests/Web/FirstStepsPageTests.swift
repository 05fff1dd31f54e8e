import Browser
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct FirstStepsPageTests {
    @Test func `A new user gives their name, shares their location and invites others`()
        async throws
    {
        try await withWebsite { site in
            try await site.register("ann")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.sees("What's your name?")
            try await page.wait(
                for: "the name that is known",
                "document.querySelector('.first-steps input[name=firstName]').value === 'Ann'")
            try await page.type(into: .field("First name"), "Anna")
            try await page.click(.button("Continue"))
            try await page.sees("Who may see where you are?")
            try await page.click(.button("Share my location"))
            try await page.sees("Give it a name")
            try await page.type(into: .field("Name of your group"), "Family")
            try await page.click(.button("Share my location"))
            try await page.sees("Who should be in Family?")
            try await page.click(.button("Make a link"))
            try await page.sees("Anyone who has the link can join")
            try await page.click(.button("Done"))
            try await page.loses("Step 3 of 3")
            try await page.says("Anna Lake", of: "ann")
            try await page.wait(
                for: "her position on the map",
                "document.querySelectorAll('.person-marker').length === 1")
            try await page.reload()
            try await page.says("Anna Lake", of: "ann")
            #expect(try await page.has(.button("Skip all")) == false)
        }
    }

    @Test func `The first steps can be skipped, and never return`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.sees("Step 1 of 3")
            try await page.click(.button("Skip all"))
            try await page.loses("Step 1 of 3")
            try await page.reload()
            try await page.says("Ben", of: "ben")
            try await page.wait(for: "a live page", "document.body.innerText.includes('Live')")
            #expect(try await page.has(.button("Skip all")) == false)
        }
    }

    @Test func `A user who has shared with a group is not new, on any device`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            try await site.installation.done("ann", "sharing.start", #"{"groups":["\#(group)"]}"#)
            let page = try await site.logIn("ann")
            try await page.says("Sharing", of: "ann")
            #expect(try await page.has(.button("Skip all")) == false)
        }
    }
}
