import Browser
import Foundation
import Testing

/// What the page keeps for times without a network, and for how long.
@Suite(.timeLimit(.minutes(3)))
struct OfflinePageTests {
    /// Whether the browser keeps everyone's last known state.
    private static let isKept = """
        (async () => {
            const all = await indexedDB.databases();
            if (!all.some(({ name }) => name === "kith-last-known")) return false;
            const done = (request) => new Promise((resolve) => {
                request.onsuccess = () => resolve(request.result);
            });
            const database = await done(indexedDB.open("kith-last-known"));
            const people = database.transaction("people").objectStore("people");
            const count = await done(people.count());
            database.close();
            return count > 0;
        })()
        """

    /// Opens Ann's page, and waits until it has received and stored Ben's location.
    private func open(_ site: Website) async throws -> Page {
        _ = try await site.family("ben")
        try await site.installation.done("ben", "sharing.start", #"{"groups":"all"}"#)
        try await site.installation.publish(Topic.fix("ben"), fix(at: 0))
        let page = try await site.logIn("ann", width: 360, height: 740)
        try await page.says("Sharing", of: "ben")
        try await page.wait(for: "a position of Ben", "document.querySelector('.person-marker')")
        try await page.wait(for: "people who are kept", OfflinePageTests.isKept)
        return page
    }

    @Test func `The page shows where everyone was, and when, without a network`() async throws {
        try await withWebsite { site in
            let page = try await open(site)
            try await page.wait(for: "a page that opens without network", "\(Page.isCached)")
            page.visitor.tolerate { $0.source == .network }
            try await page.visitor.setOffline(true)
            try await page.reload()
            try await page.says("Status unknown", of: "ben")
            try await page.sees("No connection: last updated")
            try await page.sees("It is not known yet who can see you.")
            try await page.shows(.css("li[data-user='ben'][data-unknown][data-old]"))
            try await page.wait(
                for: "Ben on the map", "document.querySelector('.person-marker[data-old]')")
            #expect(
                try await page.evaluate(
                    "document.querySelector('.connection').dataset.state !== 'live'"))
            #expect(
                try await page.evaluate("document.querySelector('[data-online]') === null"))
            try await page.picture("offline-360")
            try await page.visitor.setOffline(false)
            try await page.sees("2 members, ")
            try await page.loses("Status unknown")
        }
    }

    @Test func `A logout leaves nothing of others behind`() async throws {
        try await withWebsite { site in
            let page = try await open(site)
            try await page.visit("Me")
            try await page.click(.button("Log out"))
            try await page.sees("You are logged out.")
            try await page.wait(for: "nothing kept", "!(await \(OfflinePageTests.isKept))")
        }
    }
}
