import Browser
import Foundation
import TestSupport
import Testing

/// The cards that show a user their own day and month, and import data from elsewhere.
@Suite(.timeLimit(.minutes(2)))
struct DayPageTests {
    @Test func `The day card shows the path, the stays and the position at a time`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Me")
            try await page.click(.disclosure("My day"))
            try await page.click(.button("Show"))
            try await page.sees("No positions are stored for that day.")
            // A quarter of an hour in one place, then a kilometre on foot; less of it shortly after
            // midnight.
            let stay = (0..<15).map { fix(at: Double($0 % 3), age: Double(1_800 - $0 * 60)) }
            let walk = (0...10).map { fix(at: Double($0 * 100), age: Double(600 - $0 * 60)) }
            try await site.installation.publish(
                Topic.fix("ann"), "[\((stay + walk).joined(separator: ","))]")
            try await site.installation.done("ann", "vitals.consent")
            let now = Int(Date.now.timeIntervalSince1970 * 1000)
            try await site.installation.publish(
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
            // They stayed on the day before then.
            if isAfterMidnight { return }
            #expect(first != last)
            // For a stay, the slider is at its beginning.
            try await page.click(.css("[aria-label='Where I stayed'] button"))
            let there: String = try await page.evaluate(
                "document.querySelector('output[for=day-time]').textContent")
            #expect(there == first)
            try await page.run(
                "document.querySelector('.day-map').scrollIntoView({ block: 'center' })")
            try await page.picture("day-360")
        }
    }

    @Test func `Imported positions are shown with the day and the month`() async throws {
        try await withWebsite { site in
            try await site.register("ann")
            let start = try #require(ISO8601DateFormatter().date(from: "2024-05-15T10:00:00Z"))
            // Google's file: 700 positions, a minute apart, five kilometres to the north.
            let records = (0..<700).map { minute in
                let time = Int(start.timeIntervalSince1970 + Double(minute) * 60) * 1_000
                let latitude = Int(
                    (Place.latitude(min(Double(minute) * 50, 5_000)) * 1e7).rounded())
                return
                    #"{"latitudeE7":\#(latitude),"longitudeE7":145000000,"timestampMs":"\#(time)"}"#
            }
            let files = FileManager.default.temporaryDirectory
                .appending(path: "kith-test-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: files) }
            func write(_ name: String, _ text: String) throws -> String {
                let path = files.appending(path: name).path
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                return path
            }
            let whole = #"{"locations":[\#(records.joined(separator: ","))]}"#
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.visit("Me")
            try await page.click(.disclosure("My history from other apps"))
            try await page.click(.button("Import"))
            try await page.sees("Choose a file first.")
            try await page.choose(
                files: [try write("Records.json", whole)], in: .css("#import-files"))
            try await page.click(.button("Import"))
            try await page.sees("Done. 700 positions read, 700 of them new in your history.")
            try await page.sees("700 positions · 15 May 2024")
            // The same file again, truncated in the middle, and another file.
            let cut = String(whole.prefix(whole.count / 2))
            try await page.choose(
                files: [try write("Again.json", cut), try write("Bad.txt", "hello")],
                in: .css("#import-files"))
            try await page.click(.button("Import"))
            try await page.sees("Again.json: The file is cut off")
            try await page.sees("Bad.txt: This file format is not supported.")
            try await page.sees("0 of them new in your history.")
            try await page.picture("history-imports-360")

            try await page.click(.disclosure("My day"))
            try await page.run("document.getElementById('day-date').value = '2024-05-15'")
            try await page.click(.css("details[open] #day-date + button"))
            try await page.sees("About 5 km, from ")
            try await page.click(.disclosure("My month"))
            try await page.run("document.getElementById('month').value = '2024-05'")
            try await page.click(.css("#month + button"))
            try await page.sees("About 5 km on ")
            try await page.run("document.getElementById('month').scrollIntoView()")
            try await page.picture("history-month-360")

            try await page.click(.button("Delete everything from Records.json"))
            try await page.click(.css("dialog .button.danger"))
            try await page.click(.css("#month + button"))
            try await page.sees("No positions are stored for that month.")
        }
    }
}
