import Browser
import Foundation
import TestSupport
import Testing

/// The page of a user whose vital signs are monitored, and of those who would help.
@Suite(.timeLimit(.minutes(2)))
struct MonitoringPageTests {
    private func measure(_ site: Website, _ values: String) async throws {
        let now = Int(Date.now.timeIntervalSince1970 * 1000)
        try await site.installation.publish(
            "kith/users/ann/devices/watch/vitals", #"{"timestamp":\#(now),\#(values)}"#)
    }

    @Test func `The page asks whether she is all right, and shows who needs help`() async throws {
        try await withWebsite { site in
            let group = try await site.family()
            try await site.register("ben")
            try await site.installation.kith("group", "add", group, "ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            let ben = try await site.logIn("ben", width: 360, height: 740)
            try await page.visit("Me")
            try await page.click(.disclosure("Help when you cannot call"))
            try await page.sees("This is not a medical device.")
            try await page.click(.button("Watch my vital signs"))
            try await page.sees("First agree to have your vital signs stored")
            try await site.installation.done("ann", "vitals.consent")
            try await page.click(.toggle("Family"))
            try await page.click(.button("Watch my vital signs"))
            try await page.sees("Choose at least one group.")
            try await page.click(.toggle("Family"))
            try await page.click(.button("Watch my vital signs"))
            try await page.sees("Your vital signs are watched. You agreed on")
            try await page.sees("Not measured recently, so not counted: breathing rate")
            try await page.type(
                into: .field("Phone number for calling you back"), "+386 1 234 567")
            try await page.click(.button("Save the number"))
            try await page.sees("Saved.")
            try await page.picture("monitoring-360")

            try await measure(site, #""heartRate":140"#)
            try await page.sees("Are you all right?")
            try await page.sees("Your vital signs are unusual: heart rate far too high.")
            try await page.sees("Help will be called in")
            try await page.picture("all-right-360")
            try await page.click(.button("I am all right"))
            try await page.loses("Are you all right?")
            #expect(try await site.installation.done("ann", "emergency.get")["state"] == "watching")

            try await measure(site, #""heartRate":33,"oxygenSaturation":82,"respiratoryRate":7"#)
            try await page.sees("Help was called because of your vital signs,")
            try await ben.sees("Ann Lake may need medical help")
            try await ben.sees("Call 112")
            try await ben.picture("in-need-360")
            try await ben.visit("Alerts")
            try await ben.sees("according to their vital signs")
            try await ben.visit("Chat")
            try await page.visit("Map")
            try await page.visit("Me")
            try await page.sees("I no longer need help")
            try await page.loses("Help was called for you because")
            try await page.picture("own-need-360")
            // That of the bar, which is above every view and asks first.
            try await page.click(.button("I no longer need help"))
            try await page.sees("Do you no longer need help?")
            try await page.click(.css("dialog .button.primary"))
            try await page.sees("Your vital signs are watched again.")
            try await ben.loses("Ann Lake may need medical help")
            try await page.visit("Map")
            try await page.visit("Me")
            try await page.sees("You no longer needed help")
        }
    }

    /// So that a test takes seconds.
    private static let hasty = [
        "KITH_EMERGENCY_FIRST_REPEAT_AFTER": "1", "KITH_EMERGENCY_REPEAT_AFTER": "1",
        "KITH_EMERGENCY_CALLS_PER_WAY": "1",
    ]

    @Test func `If no dispatcher answers, the family is asked to call, and can`() async throws {
        try await withWebsite(MonitoringPageTests.hasty) { site in
            let group = try await site.family()
            try await site.register("ben")
            try await site.installation.kith("group", "add", group, "ben")
            try await site.installation.done("ann", "vitals.consent")
            try await site.installation.done("ann", "emergency.subscribe")
            let ben = try await site.logIn("ben", width: 360, height: 740)
            try await measure(site, #""heartRate":33,"oxygenSaturation":82,"respiratoryRate":7"#)
            try await ben.sees("No dispatcher has answered. Call 112 yourself.")
            try await ben.sees("Call 112")
            try await ben.picture("unanswered-360")
            try await ben.visit("Alerts")
            try await ben.sees("Please call 112 yourself.")
            // A dispatcher does answer: no one is asked to call any more.
            let incidents = try await site.installation.done("ann", "incident.list")["incidents"]
                .elements
            let id = try #require(incidents.first?["id"].text)
            try await site.installation.publish(
                "kith/dispatch/incidents/\(id)/answer", #"{"status":"acknowledged"}"#,
                as: .dispatch)
            try await ben.visit("Map")
            try await ben.sees("Dispatch has answered")
            try await ben.loses("No dispatcher has answered")
        }
    }
}
