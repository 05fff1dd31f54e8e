import Browser
import Foundation
import Testing

/// Rough and paused locations on the page.
@Suite(.timeLimit(.minutes(3)))
struct SharingLimitsPageTests {
    /// The circle in which Ben may be is seen as a whole.
    private let isWhole = """
        (() => {
            const map = document.querySelector(".leaflet-container").getBoundingClientRect();
            const circle = document.querySelector("path.accuracy")?.getBoundingClientRect();
            return circle?.height > 0 && circle.height <= map.height && circle.width <= map.width;
        })()
        """

    @Test func `A roughly located member is shown with their whole possible area`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
            try await site.installation.done(
                "ben", "sharing.precision", #"{"group":"\#(group)","precision":"city"}"#)
            try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.says("Sharing", of: "ben")
            try await page.wait(for: "the whole circle", isWhole)
            try await page.click(.css("li[data-user='ben'] button.member"))
            try await page.shows(.button("Follow"))
            // It would have come closer by now.
            try await Task.sleep(for: .milliseconds(700))
            let isStillWhole: Bool = try await page.evaluate(isWhole)
            #expect(isStillWhole)
            try await page.picture("rough-360")
        }
    }

    @Test func `A user who pauses reads what groups keep, and is visible again afterwards`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            try await site.installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            try await site.installation.publish(Topic.fix("ann"), fix(at: 0))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("People")
            try await page.sees("1 person sees your position as it arrives.")
            try await page.click(.button("Pause for an hour"))
            try await page.sees("Groups keep your last position from before.")
            try await page.picture("paused-360")
            try await page.visit("Map")
            try await page.sees("Ben can see your last position, from")
            try await page.says("Not sharing (last known position)", of: "ann")
            try await page.visit("People")
            try await page.click(.button("Show my location again"))
            try await page.sees("1 person sees your position as it arrives.")
            try await page.visit("Map")
            try await page.sees("Sharing is on, but no device is sending your position.")
            try await site.installation.publish(Topic.fix("ann"), fix(at: 100))
            try await page.sees("Ben can see you, updated just now.")
        }
    }
}
