import Browser
import Foundation
import GRDB
import Testing

@Suite(.timeLimit(.minutes(3)))
struct PeoplePageTests {
    @Test func `A friend sees a user's location until it is turned off`() async throws {
        try await withWebsite { site in
            try await site.register("ann")
            try await site.installation.kith("user", "add", "ben", "--name", "Ben")
            try await site.installation.done("ben", "friend.add", #"{"user":"ann"}"#)
            let page = try await site.logIn("ann")
            try await page.setLocation(latitude: Place.latitude(30), longitude: Place.longitude)
            try await page.visit("People")
            try await page.sees("No one sees where you are.")
            // Where there is no friend, adding one is open.
            try await page.type(into: .field("User name"), "nobody")
            try await page.click(.button("Add"))
            page.visitor.tolerate { $0.url.hasSuffix("friend.add") }
            try await page.shows(.css("[aria-invalid=true], form [role=alert]:not(:empty)"))
            try await page.type(into: .field("User name"), "ben")
            try await page.click(.button("Add"))
            try await page.sees("does not see your location")

            try await page.click(.button("Share my location with Ben"))
            try await page.click(.button("Get this device's position first"))
            try await page.sees("Ben will see you here")
            try await page.click(.button("Yes, share it"))
            try await page.sees("1 person sees your position")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: "kith/users/ann/location")
            try await ben.hears("where Ann is", on: "kith/users/ann/location") {
                $0.isFix(at: 30)
            }
            try await page.click(.button("Location off"))
            try await page.sees("Turn your location off?")
            try await page.click(.css("dialog .button.danger"))
            try await page.sees("The known position is deleted")
            try await page.sees("No one sees where you are.")
            // A later subscriber finds nothing, and is refused.
            let other = try await Program.run(
                "mosquitto_sub",
                try await site.installation.credentials(.device("ben")) + [
                    "-t", "kith/users/ann/location", "-C", "1", "-W", "25",
                ])
            #expect(other.output.isEmpty)
        }
    }

    @Test func `A user can choose to have no positions from their devices stored`() async throws {
        try await withWebsite { site in
            try await site.register("ann")
            try await site.installation.kith("user", "add", "ben", "--name", "Ben")
            try await site.installation.done("ann", "friend.add", #"{"user":"ben"}"#)
            try await site.installation.done(
                "ann", "friend.share", #"{"with":"all","fix":\#(fix(at: 10))}"#)
            let page = try await site.logIn("ann")
            try await page.visit("People")
            try await page.sees("Positions from your devices are kept as your own history.")
            // Only if the box is ticked.
            try await page.click(.button("Location off"))
            try await page.click(.css("dialog .button.danger"))
            try await page.sees("The known position is deleted")
            try await page.sees("No one sees where you are.")
            try await page.sees("Positions from your devices are kept as your own history.")

            try await page.click(.button("Location off"))
            try await page.click(.toggle("Keep no positions from my devices afterwards"))
            try await page.click(.css("dialog .button.danger"))
            try await page.sees("Positions that your devices send from now on are not kept.")
            try await page.sees("Positions from your devices are not kept. That ends when")
            func count() async throws -> Int? {
                try await site.installation.database().read {
                    try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM fixes")
                }
            }
            let before = try await count()
            let phone = try await site.installation.phone(of: "ann")
            try await site.installation.publish(Topic.fix("ann"), fix(at: 20, #","seq":1"#))
            try await phone.hears("a receipt", on: Topic.device("ann") + "/stored")
            #expect(try await count() == before)

            // Sharing turns storing on again, and the page shows it.
            try await page.click(.button("Share my location with ben"))
            try await page.click(.button("Share it"))
            try await page.sees("Your position is not known.")
            try await page.click(.button("Use the point under the cross"))
            try await page.sees("Positions from your devices are kept as your own history.")
        }
    }

    @Test func `Nearby friends are shown with distance and direction`() async throws {
        try await withWebsite { site in
            try await site.register("ann")
            try await site.installation.kith("user", "add", "ben", "--name", "Ben")
            try await site.installation.done("ben", "friend.add", #"{"user":"ann"}"#)
            try await site.installation.done("ann", "friend.add", #"{"user":"ben"}"#)
            try await site.installation.done(
                "ben", "friend.share", #"{"with":"all","fix":\#(fix(at: 300))}"#)
            let page = try await site.logIn("ann", width: 360, height: 740)
            // The gate disconnects clients whose rights have shrunk; the page retries.
            page.visitor.tolerate { $0.source == .network && $0.text.contains("503") }
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.visit("People")
            try await page.click(.button("Find"))
            try await page.sees("300 m north of you")
            try await page.click(.button("Ben: show on the map"))
            try await page.shows(.css(".person-marker[data-kind=friend]"))
            try await page.visit("People")
            try await site.installation.done("ben", "location.off")
            try await page.click(.button("Find"))
            try await page.sees("No friend who shares with you is within")
        }
    }
}
