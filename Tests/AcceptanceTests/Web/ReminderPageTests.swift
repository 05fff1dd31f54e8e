import Browser
import Foundation
import TestSupport
import Testing

/// The use cases of reminders: making, managing, editing and deleting them.
@Suite(.timeLimit(.minutes(3)))
struct ReminderPageTests {
    private func open(
        _ place: String, _ site: Website, width: Int = 360
    ) async throws -> (page: Page, places: [String: String]) {
        _ = try await site.family("ben")
        let places = try await PlacesOnPage.bring(to: site)
        let page = try await site.logIn("ann", width: width, height: 740)
        try await page.go(to: "\(site.address)#places/\(places[place] ?? "")")
        try await page.shows(.button("Remind me here"))
        return (page, places)
    }

    private func reminders(_ site: Website) async throws -> [JSON] {
        try await site.installation.done("ann", "reminder.list")["reminders"].elements
    }

    private func isRefused(_ name: String) -> Element {
        .css("[name='\(name)'][aria-invalid=true]")
    }

    @Test func `Create reminder: all missing input is shown beside its field together`()
        async throws
    {
        try await withWebsite { site in
            let (page, places) = try await open("Central Library", site)
            try await page.click(.button("Remind me here"))
            try await page.type(into: .field("Day and time"), "")
            try await page.choose("Every week", in: .field("Repeat"))
            try await page.click(.button("Remind me"))
            try await page.shows(isRefused("text"))
            try await page.shows(isRefused("at"))
            try await page.sees("Enter what you want to be reminded of.")
            try await page.sees("Choose a day and a time.")
            try await page.sees("Choose at least one day of the week.")
            #expect(try await page.evaluate("document.activeElement.name") == "text")
            #expect(try await reminders(site).isEmpty)
            // The place is still there.
            try await page.sees("Main Street 1")
            try await page.wait(for: "a page that fits", PlacesOnPage.fits)
            try await page.picture("reminder-errors-360")

            try await page.type(into: .field("Remind me of"), "Take the books back")
            try await page.type(into: .field("Day and time"), "2001-01-01T08:00")
            try await page.choose("Once", in: .field("Repeat"))
            try await page.click(.button("Remind me"))
            try await page.sees("Choose a time in the future.")
            // A weekly one begins on one of its days: this is a Monday.
            try await page.type(into: .field("Day and time"), "2040-12-24T18:00")
            try await page.choose("Every week", in: .field("Repeat"))
            try await page.click(.toggle("Monday"))
            try await page.click(.toggle("Wednesday"))
            try await page.picture("reminder-form-360")
            try await page.click(.button("Remind me"))
            try await page.sees("You will be reminded.")
            try await page.sees("My reminders here")
            try await page.sees("every week on Wednesday")
            let made = try #require(try await reminders(site).first)
            #expect(made["place"].text == places["Central Library"])
            #expect(made["text"] == "Take the books back")
            #expect(made["rrule"] == "FREQ=WEEKLY;BYDAY=WE")
            #expect(made["at"].text?.hasPrefix("2040-12-26T18:00") == true)
        }
    }

    @Test func `A due reminder is shown with a link to its place`() async throws {
        try await withWebsite { site in
            let (page, places) = try await open("Central Library", site)
            let soon = Date(timeIntervalSinceNow: 2).ISO8601Format()
            try await site.installation.done(
                "ann", "reminder.create",
                """
                {"place":"\(places["Central Library"] ?? "")","text":"Take the books back",
                "at":"\(soon)"}
                """)
            try await page.sees("Central Library: Take the books back")
            try await page.go(to: "\(site.address)#people")
            try await page.click(.link("Show the place"))
            try await page.sees("Main Street 1")
        }
    }

    @Test func `Manage, edit and delete reminders: invalid input is refused by name`() async throws
    {
        try await withWebsite { site in
            let (page, places) = try await open("Central Library", site)
            try await page.click(.link("Reminders"))
            try await page.sees("None yet.")
            for (text, day) in [("Take the books back", 1), ("Pay the fine", 2)] {
                try await site.installation.done(
                    "ann", "reminder.create",
                    """
                    {"place":"\(places["Central Library"] ?? "")","text":"\(text)",
                    "at":"2040-01-0\(day)T08:00"}
                    """)
            }
            try await page.reload()
            try await page.sees("Pay the fine")
            try await page.wait(for: "a page that fits", PlacesOnPage.fits)
            try await page.picture("reminders-360")
            try await page.click(.button("Edit Pay the fine"))
            try await page.type(into: .field("Remind me of"), "")
            try await page.choose("When I am near", in: .field("When"))
            try await page.type(into: .field("Within (metres)"), "5")
            try await page.click(.button("Save"))
            try await page.shows(isRefused("text"))
            try await page.shows(isRefused("radius"))
            try await page.click(.button("Cancel"))
            try await page.sees("Pay the fine")

            try await page.click(.button("Edit Pay the fine"))
            try await page.type(into: .field("Remind me of"), "Pay the whole fine")
            try await page.choose("When I am near", in: .field("When"))
            try await page.type(into: .field("Within (metres)"), "300")
            try await page.click(.button("Save"))
            try await page.sees("Reminder changed.")
            try await page.sees("Pay the whole fine")
            try await page.sees("When I am within")
            let changed = try await reminders(site).last
            #expect(changed?["when"] == "near")
            #expect(changed?["radius"].number == 300)

            try await page.click(.button("Delete Pay the whole fine"))
            try await page.sees("Delete this reminder?")
            try await page.click(.css("dialog .button:not(.danger)"))
            #expect(try await reminders(site).count == 2)
            try await page.click(.button("Delete Pay the whole fine"))
            try await page.click(.css("dialog .button.danger"))
            try await page.loses("Pay the whole fine")
            try await page.sees("Take the books back")
            #expect(try await reminders(site).count == 1)
            try await page.resize(width: 1280, height: 800)
            try await page.picture("reminders-1280")
        }
    }

    @Test func `An unusual rule is shown as it is written, and kept`() async throws {
        try await withWebsite { site in
            let (page, places) = try await open("Central Library", site)
            try await site.installation.done(
                "ann", "reminder.create",
                """
                {"place":"\(places["Central Library"] ?? "")","text":"Book club",
                "at":"2040-01-05T08:00:30","rrule":"FREQ=MONTHLY;BYDAY=1TH"}
                """)
            try await page.click(.link("Reminders"))
            try await page.sees("by the rule FREQ=MONTHLY;BYDAY=1TH")
            try await page.click(.button("Edit Book club"))
            try await page.shows(.css("select[name=repeat]"))
            let chosen: String = try await page.evaluate(
                "document.querySelector('select[name=repeat]').selectedOptions[0].text")
            #expect(chosen == "Unchanged: FREQ=MONTHLY;BYDAY=1TH")
            try await page.type(into: .field("Remind me of"), "Reading club")
            try await page.click(.button("Save"))
            try await page.sees("Reading club")
            let kept = try #require(try await reminders(site).first)
            #expect(kept["rrule"] == "FREQ=MONTHLY;BYDAY=1TH")
            #expect(kept["at"] == "2040-01-05T08:00:30")
            // Another choice replaces it.
            try await page.click(.button("Edit Reading club"))
            try await page.choose("Once", in: .field("Repeat"))
            try await page.click(.button("Save"))
            try await page.loses("by the rule")
            #expect(try await reminders(site).first?["rrule"].isNull == true)
        }
    }

    @Test func `"When it opens" is offered only if understood, and refused if it never opens`()
        async throws
    {
        try await withWebsite { site in
            let (page, places) = try await open("Canteen", site)
            let offers =
                "[...document.querySelectorAll('select[name=when] option')].map((each) => each.value)"
            try await page.click(.button("Remind me here"))
            try await page.shows(.css("select[name=when]"))
            #expect(try await page.evaluate(offers) == ["time", "near"])
            try await page.go(to: "\(site.address)#places/\(places["Morning Kiosk"] ?? "")")
            try await page.sees("Mo-Su 00:00-12:00")
            try await page.click(.button("Remind me here"))
            try await page.type(into: .field("Remind me of"), "A newspaper")
            try await page.choose("When it opens", in: .field("When"))
            try await page.type(into: .field("Not before"), "")
            try await page.click(.button("Remind me"))
            try await page.sees("When it opens")
            #expect(try await reminders(site).first?["when"] == "opens")
            // It is always open.
            page.visitor.tolerate { $0.url.contains("/api/reminder.create") }
            try await page.go(to: "\(site.address)#places/\(places["Central Library"] ?? "")")
            try await page.sees("Main Street 1")
            try await page.click(.button("Remind me here"))
            try await page.type(into: .field("Remind me of"), "Books")
            try await page.choose("When it opens", in: .field("When"))
            try await page.click(.button("Remind me"))
            try await page.shows(isRefused("when"))
        }
    }
}
