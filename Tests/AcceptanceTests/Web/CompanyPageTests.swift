import Browser
import Foundation
import GRDB
import TestSupport
import Testing

/// A company's own page.
@Suite(.timeLimit(.minutes(2)))
struct CompanyPageTests {
    private func register(_ company: String, on page: Page) async throws {
        try await page.click(.button("For companies"))
        for (field, value) in [
            ("Company", company), ("User name", "acme"), ("Email", "acme@example.org"),
            ("Password", "correct horse acme"),
        ] {
            try await page.type(into: .field(field), value)
        }
        try await page.click(.toggle("We use people's data"))
        try await page.click(.button("Create company account"))
        try await page.sees("None yet.")
    }

    @Test func `A company registers, makes a service, and gives it a new token`() async throws {
        try await withWebsite(["KITH_SERVICES_SECOND_FACTOR": "false"]) { site in
            let page = try await site.open()
            try await register("Acme Hearts", on: page)
            try await page.sees("acme is a company account.")
            try await page.click(.disclosure("New service"))
            try await page.type(into: .field("Name for programs"), "myheart")
            try await page.type(into: .field("Name for people"), "My heart")
            try await page.type(into: .field("How it uses people's data"), "Draws it.")
            try await page.click(.button("Make the service"))
            try await page.sees("The token of myheart.")
            try await page.sees("0 people give it access to positions.")
            try await page.picture("company-1280")
            let token: String = try await page.evaluate(
                "document.querySelector('.company code').textContent")
            site.installation.keep(token, of: "myheart")
            let users = try await site.installation.askAsService("myheart", "data.users")
            #expect(users["result"]["users"].elements.isEmpty)
            try await page.click(.button("New token"))
            _ = try await eventually("another token") { () async throws -> Bool? in
                let newer: String = try await page.evaluate(
                    "document.querySelector('.company code').textContent")
                return newer != token && newer.hasPrefix("service:myheart.") ? true : nil
            }
            // After a reload it is the same page, and not a person's.
            try await page.reload()
            try await page.sees("acme is a company account.")
            try await page.click(.button("Delete"))
            try await page.click(.css("dialog[open] .danger"))
            try await page.sees("None yet.")
        }
    }

    @Test func `A company queries data of many people together and sees a chart`() async throws {
        try await withWebsite(["KITH_SERVICES_SECOND_FACTOR": "false"]) { site in
            let page = try await site.open()
            try await register("Acme", on: page)
            await site.installation.crash()
            let hour = Int(Date.now.timeIntervalSince1970) / 3_600
            try await DatabaseQueue(path: site.installation.directory + "/kith.db").write {
                database in
                try database.walk(1_200, on: hour / 24 - 1)
                try database.setCompleteHour(hour)
            }
            try await site.installation.start()
            page.visitor.tolerate { "\($0)".contains("cohort.query") }
            try await page.click(.disclosure("Cohort statistics"))
            try await page.type(into: .field("Residence"), "Nowhere")
            try await page.click(.button("Run query"))
            try await page.sees("The answer would cover fewer than 1000 people.")
            try await page.type(into: .field("Residence"), "")
            try await page.click(.button("Run query"))
            try await page.sees("Distance per day")
            let bars: Int = try await page.evaluate(
                "document.querySelectorAll('.company .chart rect').length")
            #expect(bars == 15)
            try await page.sees("00 UTC · within 1.5 km of")
            try await page.picture("company-cohorts-1280")
        }
    }

    @Test func `A company without a second factor cannot make a service`() async throws {
        try await withWebsite { site in
            let page = try await site.open(width: 360, height: 740)
            page.visitor.tolerate { "\($0)".contains("service.create") }
            try await register("Acme", on: page)
            try await page.click(.disclosure("New service"))
            for (field, value) in [
                ("Name for programs", "myheart"), ("Name for people", "My heart"),
                ("How it uses people's data", "Draws it."),
            ] {
                try await page.type(into: .field(field), value)
            }
            try await page.click(.button("Make the service"))
            try await page.sees("Set up a second factor first")
            try await page.picture("company-360")
        }
    }
}
