import Browser
import Foundation
import TestSupport
import Testing

/// The use cases of a user looking for a place: logging in and out, the map, the list, a place's page.
@Suite(.timeLimit(.minutes(3)))
struct PlacePageTests {
    @Test func `Check the services list, Check Services information: found by a word, opened`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let places = try await PlacesOnPage.bring(to: site)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Places")
            try await page.sees("Morning Kiosk")
            try await page.sees("Fast food · Opening hours not known")
            try await page.wait(for: "a page that fits", PlacesOnPage.fits)
            try await page.picture("places-360")
            try await page.type(into: .field("Name, kind or street"), "zoo")
            try await page.click(.button("Search"))
            try await page.sees("No places found.")
            try await page.type(into: .field("Name, kind or street"), "main street")
            try await page.click(.button("Search"))
            try await page.loses("Morning Kiosk")
            try await page.click(.link("Central Library"))
            try await page.sees("Library · Open")
            for words in ["24/7", "Main Street 1", "Books for everybody.", "library.example.org"] {
                try await page.sees(words)
            }
            let links: [String] = try await page.evaluate("[...document.links].map((a) => a.href)")
            #expect(links.contains("tel:+3861234567"))
            #expect(links.contains("geo:46.0511,14.5051"))
            let library = try #require(places["Central Library"])
            #expect(try await page.evaluate("location.hash") == "#places/\(library)")
            #expect(try await page.evaluate("document.activeElement.localName") == "h1")
            try await page.wait(for: "a page that fits", PlacesOnPage.fits)
            try await page.picture("place-360")
            // Only what is open now.
            try await page.click(.link("Find"))
            try await page.type(into: .field("Name, kind or street"), "")
            try await page.click(.button("Open now"))
            try await page.loses("Canteen")
            try await page.sees("Central Library")
            // A deleted place is reported.
            page.visitor.tolerate { $0.url.contains("/api/place.get") }
            try await page.go(to: "\(site.address)#places/nowhere")
            try await page.sees("This place no longer exists.")
        }
    }

    @Test func `A place elsewhere is open by its own time zone, which is shown`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            _ = try await PlacesOnPage.bring(to: site, timeZone: "Asia/Kathmandu")
            let page = try await site.logIn("ann")
            try await page.visit("Places")
            try await page.sees("(Kathmandu time)")
        }
    }

    @Test func `Check Service Location: a place on the map opens a box, and the box its page`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let places = try await PlacesOnPage.bring(to: site)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(
                latitude: PlacesOnPage.latitude, longitude: PlacesOnPage.longitude)
            try await page.click(.button("Where am I?"))
            try await page.sees("You are here")
            // The map is for people: places are shown on request, and stay shown.
            let id = try #require(places["Central Library"])
            let library: Element = .css(".place-pin[data-place='\(id)'] .pin-disc")
            #expect(try await !page.has(library))
            try await page.click(.button("Places"))
            try await page.shows(library)
            try await page.reload()
            try await page.shows(.button("Places"))
            try await page.click(.button("Where am I?"))
            try await page.click(library)
            try await page.shows(.css(".place-box"))
            #expect(try await page.text(of: .css(".place-box")).contains("Central Library"))
            #expect(try await page.text(of: .css(".place-box")).contains("Library · Open"))
            try await page.wait(for: "a page that fits", PlacesOnPage.fits)
            try await page.picture("place-box-360")
            try await page.click(.button("Close"))
            #expect(try await !page.has(.css(".place-box")))
            try await page.click(library)
            try await page.click(.link("Details of Central Library"))
            try await page.sees("Main Street 1")
        }
    }

    @Test func `Check Current Position: I am on the map, and the nearest are first`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            _ = try await PlacesOnPage.bring(to: site)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Places")
            try await page.sees("By name.")
            try await page.setLocation(
                latitude: PlacesOnPage.latitude, longitude: PlacesOnPage.longitude + 0.006)
            try await page.click(.button("Where am I?"))
            try await page.sees("Nearest first.")
            try await page.wait(
                for: "the nearest at the top",
                "document.querySelector('.place-row strong')?.innerText === 'Morning Kiosk'")
            try await page.shows(.css(".me-dot"))
        }
    }

    @Test(arguments: [true, false])
    func `Check Current Position, GPS failure: a warning, and map and list stay`(isRefused: Bool)
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            _ = try await PlacesOnPage.bring(to: site)
            let page = try await site.logIn("ann", width: 360, height: 740)
            let origin = String(site.address.dropLast())
            if isRefused {
                try await page.visitor.set("geolocation", to: "denied", at: origin)
            } else {
                try await page.visitor.grant("geolocation", to: origin)
                try await page.loseLocation()
            }
            try await page.visit("Places")
            try await page.sees("Central Library")
            try await page.click(.button("Where am I?"))
            try await page.shows(.css(".toast.warning"), within: .seconds(45))
            try await page.sees(
                isRefused
                    ? "This site isn't allowed to use your location."
                    : "Your device couldn't find its position.")
            try await page.sees("Central Library")
            try await page.shows(.css(".place-pin"))
            #expect(try await !page.has(.css(".me-dot")))
            // And from a form: beside its button.
            try await page.click(.link("My places"))
            try await page.click(.button("Add a place"))
            try await page.type(into: .field("Name"), "Home")
            try await page.click(.button("My current location"))
            try await page.wait(
                for: "the reason", within: .seconds(45),
                "document.querySelector('#spot-error').innerText !== ''")
            try await page.picture("places-no-gps-\(isRefused)-360")
        }
    }

    @Test func `Check the map: without tiles or a connection it stays, with a notice`() async throws
    {
        try await withWebsite(["KITH_WEB_TILES": "http://127.0.0.1:9/{z}/{x}/{y}.png"]) { site in
            _ = try await site.family("ben")
            _ = try await PlacesOnPage.bring(to: site)
            let page = try await site.open(width: 360, height: 740)
            page.visitor.tolerate { $0.source == .network }
            try await site.logIn("ann", on: page)
            try await page.visit("Places")
            try await page.sees("Map tiles cannot be loaded.")
            try await page.sees("Central Library")
            try await page.shows(.css(".place-pin"))
            try await page.click(.link("Central Library"))
            try await page.sees("Main Street 1")
            try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
            try await page.visitor.setOffline(true)
            try await page.sees("No connection: last updated")
            try await page.sees("Main Street 1")
            try await page.click(.link("Find"))
            try await page.sees("Central Library")
            try await page.sees("No connection: last updated")
            try await page.type(into: .field("Name, kind or street"), "kiosk")
            try await page.click(.button("Search"))
            try await page.sees("The server cannot be reached.")
            try await page.sees("Central Library")
            try await page.picture("places-offline-360")
            try await page.visitor.setOffline(false)
            try await page.loses("No connection: last updated")
            try await page.loses("Central Library")
            try await page.sees("Morning Kiosk")
        }
    }

    @Test func `A journey to a place starts with one press`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let places = try await PlacesOnPage.bring(to: site)
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(
                latitude: PlacesOnPage.latitude + 0.02, longitude: PlacesOnPage.longitude)
            try await page.go(to: "\(site.address)#places/\(places["Central Library"] ?? "")")
            try await page.click(.button("Journey there"))
            try await page.sees("Destination: 46.0511")
            try await page.wait(
                for: "its name",
                "document.querySelector('[name=\"destination.name\"]').value === 'Central Library'")
            try await page.picture("place-journey-360")
            try await page.click(.button("Start"))
            try await page.sees("On the way to Central Library")
            // One at a time.
            try await page.go(to: "\(site.address)#places/\(places["Canteen"] ?? "")")
            try await page.click(.button("Journey there"))
            try await page.sees("You already have a journey or check-in in progress.")
        }
    }

    @Test func `A user without a mouse finds a place and makes a reminder there`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            _ = try await PlacesOnPage.bring(to: site)
            let page = try await site.logIn("ann")
            for link in ["Places", "Central Library"] {
                try await page.focus(.link(link))
                try await page.press("Enter")
            }
            try await page.sees("Main Street 1")
            try await page.focus(.button("Remind me here"))
            try await page.press("Enter")
            try await page.wait(for: "the first field", "document.activeElement.name === 'text'")
            try await page.type("Take the books back")
            try await page.choose("Every week", in: .field("Repeat"))
            let monday: Element = .toggle("Monday")
            try await page.focus(monday)
            let isChecked = "document.activeElement.checked"
            let before: Bool = try await page.evaluate(isChecked)
            try await page.press(" ")
            #expect(try await page.evaluate(isChecked) == !before)
            try await page.press(" ")
            try await page.focus(.button("Remind me"))
            try await page.press("Enter")
            try await page.sees("You will be reminded.")
            // The focus is where it was before.
            try await page.wait(
                for: "the button", "document.activeElement.innerText === 'Remind me here'")
        }
    }

    @Test func `Login and Logout: a wrong password warns; a logged-out user sees no place`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let places = try await PlacesOnPage.bring(to: site)
            let page = try await site.open(width: 360, height: 740)
            page.visitor.tolerate { $0.source == .network && $0.text.contains("401") }
            try await page.type(into: .field("User name or email"), "ann")
            try await page.type(into: .field("Password"), "wrong horse")
            try await page.click(.button("Log in"))
            try await page.wait(
                for: "a warning", "document.querySelector('[role=alert]')?.innerText !== ''")
            try await page.shows(.button("Log in"))
            try await site.logIn("ann", on: page)
            try await page.visit("Places")
            try await page.click(.link("Central Library"))
            try await page.sees("Main Street 1")
            try await page.visit("Me")
            try await page.click(.button("Log out"))
            try await page.sees("You are logged out.")
            try await page.shows(.button("Log in"))
            try await page.go(to: "\(site.address)#places/\(places["Central Library"] ?? "")")
            try await page.shows(.button("Log in"))
            #expect(
                try await page.evaluate("!document.body.innerText.includes('Central Library')"))
        }
    }
}
