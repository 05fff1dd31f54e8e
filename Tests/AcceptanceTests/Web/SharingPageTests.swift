import Browser
import Foundation
import TestSupport
import Testing

/// The control by which a user shares their location.
@Suite(.timeLimit(.minutes(3)))
struct SharingPageTests {
    @Test func `A single press shares for an hour, and sends from this device`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.member(group, "ann"))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.sees("No one in Family can see where you are.")
            try await page.picture("sharing-off-360")
            try await page.click(.button("1 hour"))
            try await ben.hears("Ann's position, for an hour", on: Topic.member(group, "ann")) {
                $0["state"] == "active" && $0["fix"].isFix(at: 0) && $0["until"].text != nil
            }
            try await page.sees("Ben can see you, updated just now.")
            try await page.picture("sharing-on-360")
        }
    }

    @Test func `A device that finds no position shows a warning, until it finds one`() async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.loseLocation()
            try await page.click(.button("Until I stop"))
            try await page.sees("Sharing is on, but your device can't find a position.")
            try await page.shows(.css(".sharing-words[data-tone='warning']"))
            try await page.picture("sharing-no-signal-360")
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.sees("Ben can see you, updated just now.")
        }
    }

    @Test func `A user who stops may delete the last position, and sends nothing more`()
        async throws
    {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.member(group, "ann"))
            let page = try await site.logIn("ann")
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.click(.button("Until I stop"))
            try await page.sees("Ben can see you, updated just now.")
            try await page.click(.button("Stop sharing"))
            try await page.click(.button("Stop and remove it"))
            try await page.sees("Location is off. The known position is deleted.")
            try await page.sees("This device no longer sends anything.")
            try await ben.hears("nothing of Ann", on: Topic.member(group, "ann")) {
                $0["state"] == "inactive" && $0["fix"] == .null
            }
            try await page.setLocation(latitude: Place.latitude(500), longitude: Place.longitude)
            try await page.sees("No one in Family can see where you are.")
            #expect(try await page.evaluate("localStorage.getItem('kith.sending') === null"))
        }
    }

    @Test func `Fifty people on a phone are found by their names`() async throws {
        try await withWebsite { site in
            let others = (1...9).map { "ben-\($0)" }
            let group = try await site.family("ben")
            for user in others {
                let name = user == "ben-9" ? "عمر" : "Sam Reed"
                try await site.installation.kith("user", "add", user, "--name", name)
                try await site.installation.kith("group", "add", group, user)
            }
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.sees("11 members")
            // Others have the same name.
            try await page.says("Sam Reed (ben-1)", of: "ben-1")
            #expect(try await page.row(of: "ben").contains("(") == false)
            try await page.type(into: .field("Filter by name"), "عم")
            try await page.wait(
                for: "nobody else in the list",
                "document.querySelectorAll('.members [data-user]').length === 1")
            try await page.says("عمر", of: "ben-9")
            try await page.type(into: .field("Filter by name"), "x")
            try await page.sees("No one here is called")
            try await page.picture("members-filter-360")
        }
    }
}
