import Browser
import Foundation
import Testing

/// The page shows what the server knows, and states if something is not known.
@Suite(.timeLimit(.minutes(3)))
struct ClaimsPageTests {
    @Test func `The page states who sees me, even without a position or a connection`() async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            let phone = try await site.installation.phone(of: "ben")
            let page = try await site.logIn("ann")
            let origin: String = try await page.evaluate("location.origin")
            try await page.says("Online", of: "ben")
            try await page.sees("No one in Family can see where you are.")
            try await page.visitor.set("geolocation", to: "denied", at: origin)
            try await page.sees("This site isn't allowed to use your location.")
            try await page.click(.button("Until I stop"))
            let refused = "Sharing is on, but this site isn't allowed to use your location."
            try await page.sees(refused)
            try await page.loses("Ben can see")
            // Allowing it again in the browser's settings is all that is done.
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.sees("Ben can see you, updated just now.")
            try await page.visitor.set("geolocation", to: "denied", at: origin)
            try await page.sees(refused)
            try await page.sees("Ben can see your last position, from")
            try await page.loses("Ben can see you, updated")

            page.visitor.tolerate { $0.source == .network }
            try await site.endWeb(of: page)
            try await page.sees("No connection: who can see you is not known at the moment.")
            try await page.sees("2 members. No connection")
            try await page.says("Status unknown", of: "ben")
            #expect(try await page.row(of: "ben").contains("Online") == false)
            let web = try await site.installation.openPage(port: site.port)
            try await page.says("Online", of: "ben")
            try await page.click(.button("Stop sharing"))
            try await page.click(.button("Stop and keep it visible"))
            try await page.sees("and nothing newer.")
            await phone.kill()
            await web.program.kill()
        }
    }

    @Test func `A member who has stopped is on the map at their last position`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            try await page.says("Sharing", of: "ben")
            try await site.installation.done("ben", "sharing.stop", #"{"groups":"all"}"#)
            try await page.wait(
                for: "a word beside the face",
                "document.querySelector('.tag-word')?.innerText.startsWith('Last position,')")
        }
    }

    @Test func `Other tiles are used on the first visit`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.sees("Made with Natural Earth · © GeoNames")
            // With no server there are network errors; they do not concern the policy.
            page.visitor.tolerate { $0.source == .network }
            try await site.endWeb(of: page)
            let web = try await site.installation.openPage(
                port: site.port, ["KITH_WEB_TILES": "http://127.0.0.1:9/{z}/{x}/{y}.png"])
            try await page.reload()
            try await page.sees("Map tiles cannot be loaded.")
            await web.program.kill()
        }
    }
}
