import Browser
import Foundation
import GRDB
import TestSupport
import Testing

/// The page as the phone in a user's pocket.
@Suite(.timeLimit(.minutes(3)))
struct PositionPageTests {
    /// Opens Ann's page, which sends her position and shares it with the family.
    private func share(_ site: Website, _ group: String, at metres: Double) async throws -> Page {
        let page = try await site.logIn("ann", width: 360, height: 740)
        try await page.setLocation(
            latitude: Place.latitude(metres), longitude: Place.longitude)
        try await page.click(.button("Until I stop"))
        try await page.sees("You are sharing your location with Family until you stop.")
        try await page.sees("Ben can see you, updated just now.")
        return page
    }

    @Test func `The page shares the device's position`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.member(group, "ann"))
            let page = try await share(site, group, at: 0)
            try await ben.hears("Ann's position", on: Topic.member(group, "ann")) {
                $0["state"] == "active" && $0["fix"].isFix(at: 0)
            }
            try await page.setLocation(latitude: Place.latitude(40), longitude: Place.longitude)
            try await ben.hears("Ann's next position", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 40)
            }
            // It continues by itself.
            try await page.reload()
            try await page.setLocation(latitude: Place.latitude(80), longitude: Place.longitude)
            try await ben.hears("a position after a reload", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 80)
            }
            try await page.sees("Ben can see you, updated just now.")
            try await page.click(.button("Stop sharing"))
            try await page.sees("Keep my last position visible?")
            try await page.click(.button("Stop and keep it visible"))
            try await page.sees(
                "Family sees nothing new from you. This device has stopped sending.")
            try await page.setLocation(latitude: Place.latitude(900), longitude: Place.longitude)
            try await page.sees("Ben can see your last position, from")
            let last = try await ben.hears("the end", on: Topic.member(group, "ann")) {
                $0["state"] == "inactive" && $0["version"].number ?? 0 > 2
            }
            #expect(last.json["fix"].isFix(at: 80))
        }
    }

    @Test func `Positions taken offline are sent afterwards, once each`() async throws {
        try await withWebsite(as: .modules) { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.member(group, "ann"))
            let page = try await share(site, group, at: 0)
            try await ben.hears("Ann's position", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 0)
            }
            try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
            try await page.wait(
                for: "the group, kept with the page",
                "import('/js/last-known-record.js').then(({ record }) => record.read()).then(Boolean)"
            )
            page.visitor.tolerate { $0.source == .network }
            try await page.visitor.setOffline(true)
            try await move(page, to: stride(from: 100, through: 300, by: 100))
            try await page.sees("Offline: 3 positions kept here")
            #expect(try await stored(site) == [0])
            // Stored fixes survive a reload, after which the page reads the position once more.
            try await page.reload()
            try await page.sees("Offline: 4 positions kept here")
            try await page.sees("It is not known yet who can see you.")
            try await page.setLocation(latitude: Place.latitude(400), longitude: Place.longitude)
            try await page.sees("Offline: 5 positions kept here")

            try await page.visitor.setOffline(false)
            try await ben.hears("where Ann is now", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 400)
            }
            try await page.loses("positions kept here")
            let metres = try await eventually("the last") {
                let metres = try await stored(site)
                return metres.last == 400 ? metres : nil
            }
            // The browser may report the same position twice, with different times.
            #expect([[0, 100, 200, 300, 400], [0, 100, 200, 300, 300, 400]].contains(metres))
        }
    }

    @Test func `Positions that the bridge does not confirm are resent, and stored once`()
        async throws
    {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let page = try await share(site, group, at: 0)
            _ = try await eventually("the first") { try await stored(site) == [0] ? true : nil }
            page.visitor.tolerate { $0.source == .network }
            await site.installation.crash()
            try await move(page, to: stride(from: 100, through: 300, by: 100))
            try await page.sees("not sent yet")
            try await site.installation.start()
            let metres = try await eventually("all four", within: .seconds(60)) {
                let metres = try await stored(site)
                return metres.count >= 4 ? metres : nil
            }
            #expect(metres == [0, 100, 200, 300])
            try await page.loses("not sent yet")
        }
    }

    @Test func `A position ahead of the server's clock blocks no other, and is not lost`()
        async throws
    {
        try await withWebsite(as: .modules) { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            func put(_ metres: Double, in seconds: Double) async throws {
                try await page.run(
                    """
                    const { outbox } = await import("/js/outbox.js");
                    const time = new Date(Date.now() + \(seconds) * 1000).toISOString();
                    await outbox.put({
                        latitude: \(Place.latitude(metres)), longitude: \(Place.longitude),
                        accuracy: 5, timestamp: time,
                    });
                    """)
            }
            // Some seconds more than is accepted: the next ones are earlier.
            try await put(500, in: 75)
            try await page.sees("1 not accepted yet")
            try await put(100, in: -2)
            try await put(200, in: -1)
            _ = try await eventually("the others") {
                try await stored(site) == [100, 200] ? true : nil
            }
            try await page.sees("1 not accepted yet")
            // A newly opened page tries it again: it is no longer so far in the future.
            _ = try await eventually("the first", within: .seconds(60)) { () -> Bool? in
                try await page.reload()
                for _ in 1...50 {
                    if try await stored(site) == [100, 200, 500] { return true }
                    try await Task.sleep(for: .milliseconds(100))
                }
                return nil
            }
            try await page.loses("not accepted yet")
        }
    }

    /// Moves to each place, far enough from the last, and at a different time.
    private func move(_ page: Page, to places: some Sequence<Int>) async throws {
        // The browser drops a position that it has not reported yet when a new one is set.
        try await page.run(
            """
            navigator.geolocation.watchPosition(
                (position) => { window.placeTold = position.coords.latitude }, () => {})
            """)
        for metres in places {
            let latitude = Place.latitude(Double(metres))
            try await page.setLocation(latitude: latitude, longitude: Place.longitude)
            try await page.wait(
                for: "a page that knows its place",
                "Math.abs(window.placeTold - \(latitude)) < 1e-7")
            try await Task.sleep(for: .milliseconds(300))
        }
    }

    /// How far north the stored fixes are, in metres, in the order in which they were taken.
    private func stored(_ site: Website) async throws -> [Int] {
        let rows = try await site.installation.database().read { database in
            try Int.fetchAll(
                database, sql: "SELECT latitude_e7 FROM fixes ORDER BY taken_at_ms, seq")
        }
        return rows.map { Int(((Double($0) / 1e7 - 46.05) * 111_195).rounded()) }
    }
}
