import Browser
import Foundation
import Testing

/// The page shows what the server knows, and says so if something is not known.
@Suite(.timeLimit(.minutes(3)))
struct ClaimsPageTests {
    @Test func `Who sees me is said as it is, also without a position or a connection`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await site.house.done("ben", "sharing.start", #"{"groups":"all"}"#)
            let phone = try await site.house.phone(of: "ben")
            let page = try await site.logIn("ann")
            let origin: String = try await page.evaluate("location.origin")
            try await page.says("Online", of: "ben")
            try await page.sees("Nobody in this group sees where you are.")
            try await page.click(.toggle("Share my location with Family"))
            let none = "Ben will see where you are with the next position that comes in."
            try await page.sees(none)
            try await page.visitor.set("geolocation", to: "denied", at: origin)
            try await page.click(.toggle("Send my position from this device"))
            try await page.sees("The browser may not tell your position.")
            try await page.sees(none)
            // Allowing it again in the browser's settings is all that is done.
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.sees("Ben sees where you are: your position from just now.")
            try await page.sees("What arrives is shown to Family.")
            try await page.visitor.set("geolocation", to: "denied", at: origin)
            try await page.sees("The browser may not tell your position.")

            page.visitor.tolerate { $0.source == .network }
            try await site.endWeb(of: page)
            try await page.sees("what this group sees of you is not known at the moment")
            try await page.sees("2 members. No connection")
            try await page.says("Not known now", of: "ben")
            try await page.sees("Whom it is shown to is not known at the moment.")
            #expect(try await page.row(of: "ben").contains("Online") == false)
            let web = try await site.house.openPage(port: site.port)
            try await page.says("Online", of: "ben")
            try await page.click(.toggle("Share my location with Family"))
            try await page.sees("Ben sees your last position, from")
            await phone.kill()
            await web.program.kill()
        }
    }

    @Test func `Who has stopped is on the map as of then`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await site.house.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await site.house.publish(Topic.fix("ben"), fix(at: 0))
            try await page.says("Sharing", of: "ben")
            try await site.house.done("ben", "sharing.stop", #"{"groups":"all"}"#)
            try await page.wait(
                for: "a word beside the face",
                "document.querySelector('.tag-word')?.innerText.startsWith('Last position,')")
        }
    }

    @Test func `Other tiles are seen with the first visit`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.sees("Made with Natural Earth · © GeoNames")
            // With no server there are network errors; they do not concern the policy.
            page.visitor.tolerate { $0.source == .network }
            try await site.endWeb(of: page)
            let web = try await site.house.openPage(
                port: site.port, ["KITH_WEB_TILES": "http://127.0.0.1:9/{z}/{x}/{y}.png"])
            try await page.reload()
            try await page.sees("Map tiles cannot be loaded.")
            await web.program.kill()
        }
    }
}
