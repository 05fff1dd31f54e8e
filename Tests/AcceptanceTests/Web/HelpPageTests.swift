import Browser
import Foundation
import TestSupport
import Testing

/// Help for helpers: the card of a member in an SOS, the answers to a call, and what is kept
/// of it afterwards.
@Suite(.timeLimit(.minutes(3)))
struct HelpPageTests {
    @Test func `Helpers on the way are shown to the caller and everyone else`() async throws {
        try await withWebsite { site in
            let group = try await site.family()
            for user in ["ben", "cleo"] {
                try await site.register(user)
                try await site.installation.kith("group", "add", group, user)
            }
            let ann = try await site.logIn("ann", width: 360, height: 740)
            let ben = try await site.logIn("ben", width: 360, height: 740)
            let cleo = try await site.logIn("cleo")
            try await site.installation.done("ben", "sos.trigger", #"{"fix":\#(fix(at: 50))}"#)
            try await ben.sees("Your SOS has been on since")
            try await ben.sees("No one has answered yet.")
            try await ann.sees("Ben Lake needs help")
            try await cleo.sees("Ben Lake needs help")

            try await ann.click(.button("I’m coming"))
            try await ben.sees("On the way: Ann")
            try await ben.picture("called-360")
            try await cleo.sees("On the way: Ann")
            try await ann.sees("On the way: you")
            try await cleo.click(.button("More"))
            try await cleo.click(.button("I called 112"))
            try await ben.sees("112 was called by Cleo")
            try await ann.sees("112 was called by Cleo")
            try await cleo.picture("card-1280")

            // Another press cancels it.
            try await ann.click(.button("I’m coming"))
            try await ben.loses("On the way: Ann")
            try await ann.click(.button("I’m coming"))
            try await ben.sees("On the way: Ann")
            try await ben.reload()
            try await ben.sees("On the way: Ann")
            try await site.installation.done("ben", "sos.stop")
            try await ann.loses("Ben Lake needs help")

            try await cleo.visit("Alerts")
            try await cleo.sees("SOS from Ben Lake")
            try await cleo.click(.css(".story-box summary"))
            try await cleo.sees("Ann Lake is on the way.")
            try await cleo.sees("Ben Lake has ended the SOS.")
            #expect(
                try await cleo.evaluate("document.querySelectorAll('.alerts .alert').length") == 1)
        }
    }

    @Test func `The card has directions, the numbers and the text to read out`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await site.installation.done("ben", "sos.trigger", #"{"fix":\#(fix(at: 5_000))}"#)
            try await page.sees("Ben needs help")
            try await page.click(.button("More"))
            try await page.shows(.link("Call 112"))
            let addresses: [String] = try await page.evaluate(
                """
                [...document.querySelectorAll('.banner a, .help-card a')].filter(e => e.checkVisibility())
                    .map(e => e.href)
                """)
            let latitude = "\(Place.latitude(5_000))".prefix(6)
            #expect(addresses.contains("tel:112"))
            #expect(
                addresses.contains { $0.hasPrefix("https://www.openstreetmap.org/directions") })
            #expect(addresses.contains { $0.contains(latitude) }, "\(addresses)")
            // The route from here is shown on request.
            try await page.click(.button("How far is it from here?"))
            try await page.wait(
                for: "distance and direction",
                "document.querySelector('.help-far')?.textContent.includes(' of you')")
            try await page.click(.button("Copy the coordinates"))
            try await page.sees("oordinates")
            #expect(
                try await page.evaluate(
                    """
                    [...document.querySelectorAll('.help-card :is(a, button)')]
                        .filter(e => e.checkVisibility())
                        .every(e => e.getBoundingClientRect().height >= 44)
                    """))
            try await page.picture("card-360")
        }
    }

    @Test func `An SOS is shown with the journey that it pauses`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await site.installation.done(
                "ben", "journey.start",
                """
                {"groups":["\(group)"],"destination":{"latitude":\(Place.latitude(9_000)),\
                "longitude":\(Place.longitude),"name":"Home"},"eta":"\(time(in: 3600))"}
                """)
            try await site.installation.done("ben", "sos.trigger")
            try await page.sees("The journey resumes when the SOS is over.")
            try await page.visit("Alerts")
            try await page.sees("The journey resumes when the SOS is over.")
        }
    }

    @Test func `Connection notices are not part of the chat`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let page = try await site.logIn("ann")
            for (number, kind) in ["online", "offline", "joined"].enumerated() {
                try await site.installation.publish(
                    Topic.chat(group),
                    """
                    {"id":"018f0000-0000-7000-8000-00000000000\(number)","kind":"\(kind)",\
                    "group":"\(group)","from":"ben","name":"Ben","at":"\(time(in: 0))",\
                    "text":"Ben is \(kind)."}
                    """, as: .bridge)
            }
            try await page.visit("Chat")
            try await page.sees("Ben is now in the group.")
            #expect(try await page.evaluate("!document.body.innerText.includes('Ben is o')"))
        }
    }
}
