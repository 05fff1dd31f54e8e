import Browser
import Foundation
import TestSupport
import Testing

/// "I am all right until …": a journey without a place.
@Suite(.timeLimit(.minutes(3)))
struct CheckInPageTests {
    /// Types a time some seconds from now; the field itself only has minutes.
    private func until(_ seconds: Int, on page: Page) async throws {
        try await page.click(.choice("At a time…"))
        try await page.run(
            """
            const field = document.querySelector('form input[name=eta]');
            const at = new Date(Date.now() + \(seconds * 1000)
                - new Date().getTimezoneOffset() * 60_000);
            field.step = 'any';
            field.value = at.toISOString().slice(0, 19);
            """)
    }

    @Test func `The group is notified of a missed check-in`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.click(.button("I am all right until…"))
            try await until(6, on: page)
            try await page.click(.css("form input[name=sends]"))
            try await page.click(.button("Start"))
            try await page.sees("All right until")
            try await page.sees("Shown to Family.")
            try await ben.hears("that she is late", on: Topic.alerts(group)) {
                $0["kind"] == "late" && $0["user"] == "ann"
            }
            try await page.sees("Your group has been notified that you have not checked in.")
            try await page.click(.button("I am all right"))
            try await page.sees("Your groups are notified that you are all right.")
            try await page.shows(.button("I am all right until…"))
        }
    }

    @Test func `A check-in can be moved, and others see it as one`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.member(group, "ann"))
            let page = try await site.logIn("ann")
            try await page.click(.button("I am all right until…"))
            try await page.click(.choice("30\u{a0}min"))
            try await page.click(.css("form input[name=sends]"))
            try await page.click(.button("Start"))
            let first = try await ben.hears("her check-in", on: Topic.member(group, "ann")) {
                $0["state"] == "routing" && $0["journey"]["eta"].text != nil
                    && $0["journey"]["destination"].isNull
            }
            try await page.says("Check-in", of: "ann")
            let eta = try #require(first.json["journey"]["eta"].text)
            try await page.click(.button("+30"))
            try await ben.hears("another time", on: Topic.member(group, "ann")) {
                $0["journey"]["eta"].text ?? eta > eta
            }
            try await page.sees("left")
            try await page.reload()
            try await page.sees("All right until")
            try await page.click(.button("I am all right"))
            try await ben.hears("the end", on: Topic.member(group, "ann")) {
                $0["state"] != "routing"
            }
        }
    }

    @Test func `A past time and a missing group are mistakes`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann")
            try await page.click(.button("I am all right until…"))
            try await until(-60, on: page)
            try await page.click(.toggle("Family"))
            try await page.click(.button("Start"))
            try await page.sees("Choose a time in the future")
            try await page.sees("Choose at least one")
            try await page.click(.button("Cancel"))
            try await page.shows(.button("Start a journey"))
        }
    }
}
