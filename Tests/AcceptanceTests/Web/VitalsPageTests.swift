import Browser
import Foundation
import TestSupport
import Testing

/// The card about vital signs.
@Suite(.timeLimit(.minutes(2)))
struct VitalsPageTests {
    @Test func `A user agrees, sees the received values and has them deleted`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Me")
            try await page.click(.disclosure("Vital signs"))
            try await page.sees("This is stored only once you have agreed.")
            try await page.click(.button("Store my vital signs"))
            try await page.sees("No data yet.")
            let now = Int(Date.now.timeIntervalSince1970 * 1000)
            try await site.installation.publish(
                "kith/users/ann/devices/watch/vitals",
                #"[{"timestamp":\#(now - 60_000),"heartRate":72,"bodyTemperature":36.6},"#
                    + #"{"timestamp":\#(now),"heartRate":75}]"#)
            try await page.visit("Map")
            try await page.visit("Me")
            try await page.sees("75 per minute")
            try await page.sees("36.6 °C")
            try await page.picture("vitals-360")
            try await page.click(.disclosure("Health profile"))
            try await page.choose("female", in: .css("select[name=gender]"))
            try await page.type(into: .field("Date of birth"), "1985-12-10")
            try await page.type(into: .field("Residence"), "Lausanne")
            try await page.type(into: .field("Social security or insurance number"), "12")
            page.visitor.tolerate { $0.url.hasSuffix("health.profile") }
            try await page.click(.button("Save the health profile"))
            try await page.sees("Must have 4 to 32 letters and digits")
            try await page.type(
                into: .field("Social security or insurance number"), "756.1234.5678.97")
            try await page.click(.button("Save the health profile"))
            try await page.sees("Saved.")
            try await page.picture("health-profile-360")
            let profile = try await site.installation.ask("ann", "health.profile")["result"]
            #expect(profile["gender"] == "female" && profile["dateOfBirth"] == "1985-12-10")
            #expect(profile["residence"] == "Lausanne" && profile["ssn"] == "756.1234.5678.97")
            try await page.click(.button("Stop and delete"))
            try await page.sees("You can download your data first.")
            try await page.click(.css("dialog[open] .danger"))
            try await page.sees("This is stored only once you have agreed.")
            #expect(try await page.has(.css("[aria-label='Vital signs'] li")) == false)
        }
    }
}
