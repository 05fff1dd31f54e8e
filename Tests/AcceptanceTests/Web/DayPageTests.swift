import Browser
import Foundation
import TestJSON
import Testing

/// The card that shows somebody their own day.
@Suite(.timeLimit(.minutes(2)))
struct DayPageTests {
    @Test func `It shows the way, where its owner stayed, and where they were at a time`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Me")
            try await page.click(.disclosure("My day"))
            try await page.click(.button("Show"))
            try await page.sees("No positions of that day are stored.")
            // A quarter of an hour in one place, then a kilometre on foot; less of it shortly after
            // midnight.
            let stay = (0..<15).map { fix(at: Double($0 % 3), age: Double(1_800 - $0 * 60)) }
            let walk = (0...10).map { fix(at: Double($0 * 100), age: Double(600 - $0 * 60)) }
            try await site.house.publish(
                Topic.fix("ann"), "[\((stay + walk).joined(separator: ","))]")
            try await site.house.done("ann", "vitals.consent")
            let now = Int(Date.now.timeIntervalSince1970 * 1000)
            try await site.house.publish(
                "kith/users/ann/devices/phone/vitals",
                #"[{"timestamp":\#(now - 1_000),"heartRate":72},{"timestamp":\#(now),"heartRate":76}]"#
            )
            try await page.click(.button("Show"))
            try await page.sees("About ")
            try await page.sees("Heart rate")
            let lines: Int = try await page.evaluate(
                "document.querySelectorAll('.day-map path.day-line').length")
            #expect(lines == 1)
            let last: String = try await page.evaluate(
                "document.querySelector('output[for=day-time]').textContent")
            let first: String = try await page.evaluate(
                """
                (() => {
                    const slider = document.getElementById("day-time");
                    slider.value = slider.min;
                    slider.dispatchEvent(new Event("input"));
                    return document.querySelector("output[for=day-time]").textContent;
                })()
                """)
            let clock = Calendar.current.dateComponents([.hour, .minute], from: .now)
            let isAfterMidnight = clock.hour == 0 && (clock.minute ?? 0) < 30
            #expect(first != last || isAfterMidnight)
            try await page.run(
                "document.querySelector('.day-map').scrollIntoView({ block: 'center' })")
            try await page.picture("day-360")
        }
    }
}
