import Browser
import Foundation
import TestSupport
import Testing

/// Runs as people meet them: organisers (S8, U13, U14), participants (S9, U15) and spectators
/// (S10, U16).
@Suite(.timeLimit(.minutes(3)))
struct RunsTests {
    private let fits = "document.documentElement.scrollWidth <= window.innerWidth"

    private var milliseconds: Int { Int(Date().timeIntervalSince1970 * 1000) }

    private static let gpx = """
        <?xml version="1.0"?><gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>\
        <trkpt lat="57.70" lon="11.97"><ele>12</ele></trkpt>\
        <trkpt lat="57.702" lon="11.97"><ele>31</ele></trkpt>\
        <trkpt lat="57.704" lon="11.97"><ele>18.4</ele></trkpt></trkseg></trk></gpx>
        """

    /// A run from 57.7° N to the north.
    private func makeRun(
        _ site: Website, by organiser: String = "ann", inSeconds: Int = 3_600, more: String = ""
    ) async throws -> String {
        try await site.installation.done(
            organiser, "run.organise", #"{"name":"Charity4All","acceptTerms":true}"#)
        let start = milliseconds + inSeconds * 1000
        let made = try await site.installation.done(
            organiser, "run.create",
            """
            {"name":"Run4Char","place":{"name":"Gothenburg","latitude":57.7,"longitude":11.97},
            "course":{"type":"LineString",
            "coordinates":[[11.97,57.70,12],[11.97,57.701,31],[11.97,57.7018,18]]},
            "startsAt":\(start),"enrolmentClosesAt":\(start),"endsAt":\(start + 600_000)\(more)}
            """)
        return try #require(made["run"]["run"].text)
    }

    private func goOn(_ site: Website, _ user: String, _ metres: Double) async throws {
        let latitude = 57.7 + metres / 111_350
        try await site.installation.publish(
            Topic.fix(user),
            #"{"latitude":\#(latitude),"longitude":11.97,"accuracy":5,"timestamp":\#(milliseconds)}"#
        )
    }

    @Test func `S8, U13, U14: Charity4All signs up as an organiser and creates Run4Char`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            page.visitor.tolerate { $0.url.contains("/api/") }
            try await page.go(to: "\(site.address)runs.html#new")
            try await page.shows(.button("Create the run"))
            try await page.click(.button("Create the run"))
            // Everything that is missing is shown: first for the terms, then for the run.
            try await page.shows(.css("input[name=acceptTerms][aria-invalid=true]"))
            try await page.shows(.css("input[name=organiser][aria-invalid=true]"))
            try await page.type(into: .field("Organiser"), "Charity4All")
            try await page.click(.toggle("I accept the terms for organisers"))
            try await page.click(.button("Create the run"))
            try await page.shows(.css("input[name=name][aria-invalid=true]"))
            try await page.type(into: .field("Name"), "Run4Char")
            try await page.type(into: .field("Place"), "Gothenburg")
            let file = site.installation.directory + "/course.gpx"
            try Data("<gpx><!DOCTYPE x>".utf8).write(to: URL(filePath: file))
            try await page.choose(files: [file], in: .css("input[type=file]"))
            try await page.sees("The file cannot be read")
            try Data(RunsTests.gpx.utf8).write(to: URL(filePath: file))
            try await page.choose(files: [file], in: .css("input[type=file]"))
            try await page.sees("a lap")
            try await page.wait(for: "a page that fits", fits)
            try await page.picture("run-new-360")
            try await page.click(.button("Create the run"))
            try await page.sees("organised by Charity4All")
            try await page.sees("The course is")
            try await page.wait(for: "a page that fits", fits)
            try await page.picture("run-announced-360")
            // The place is changed, and the participant is notified.
            let runs = try await site.installation.done("ben", "run.list")
            let run = try #require(runs["runs"].elements.first?["run"].text)
            try await site.installation.done("ben", "run.enrol", #"{"run":"\#(run)"}"#)
            try await page.go(to: "\(site.address)runs.html#\(run)/edit")
            try await page.type(into: .field("Place"), "Mölndal")
            try await page.click(.button("Save"))
            try await page.sees("Mölndal")
            let news = try await site.installation.done("ben", "notice.list")
            #expect(news["notices"].elements.contains { $0["kind"] == "run-changed" })
        }
    }

    @Test func `S9, U15: Hannah finds the run and takes part; each refusal has its reason`()
        async throws
    {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let hannah = try await site.logIn("ann", width: 360, height: 740)
            hannah.visitor.tolerate { $0.url.contains("/api/") }
            try await hannah.go(to: "\(site.address)runs.html")
            try await hannah.sees("No runs found")
            let run = try await makeRun(site, by: "ben", more: #","maxParticipants":1"#)
            try await hannah.type(into: .field("Name or identifier"), "nobodys1")
            try await hannah.click(.button("Search"))
            try await hannah.sees("No runs found")
            try await hannah.type(into: .field("Name or identifier"), "char")
            try await hannah.click(.button("Search"))
            try await hannah.sees("Gothenburg")
            try await hannah.picture("run-found-360")
            try await hannah.click(.link("Run4Char"))
            try await hannah.type(into: .field("Name shown to everyone"), "Hannah")
            // Another user is faster.
            try await site.installation.done("ben", "run.enrol", #"{"run":"\#(run)"}"#)
            try await hannah.click(.button("Take part"))
            try await hannah.sees("All 1 places are taken")
            try await site.installation.done("ben", "run.withdraw", #"{"run":"\#(run)"}"#)
            try await hannah.click(.button("Take part"))
            try await hannah.sees("You are taking part with number 2")
            try await hannah.wait(for: "a page that fits", fits)
            try await hannah.picture("run-enrolled-360")
            try await hannah.click(.button("Withdraw"))
            try await hannah.click(.css("dialog .button.danger"))
            try await hannah.shows(.button("Take part"))
        }
    }

    @Test func `S10, U16: Max watches it at home, without an account`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let run = try await makeRun(site, inSeconds: 10)
            try await site.installation.done(
                "ben", "run.enrol", #"{"run":"\#(run)","name":"Hannah","showHeartRate":true}"#)
            try await site.installation.done("ann", "run.enrol", #"{"run":"\#(run)"}"#)
            try await site.installation.done("ben", "vitals.consent")
            let lost = try await site.open(at: "runs.html#nobodys1")
            lost.visitor.tolerate { $0.url.contains("/api/") }
            try await lost.sees("There is no such run")
            // He types the identifier of the newsletter.
            let max = try await site.open(at: "runs.html")
            max.visitor.tolerate { $0.url.contains("/api/") }
            try await max.type(into: .field("Name or identifier"), run)
            try await max.click(.button("Search"))
            try await max.sees("Run4Char")
            try await goOn(site, "ben", 0)
            try await goOn(site, "ann", 0)
            try await max.sees("On now")
            let display = try await site.open(
                width: 1280, height: 720, at: "runs.html#\(run)/display")
            for second in 1...10 {
                try await goOn(site, "ben", Double(second) * 9)
                try await goOn(site, "ann", Double(second) * 6)
                try await Task.sleep(for: .seconds(1))
            }
            try await site.installation.publish(
                "kith/users/ben/devices/phone/vitals",
                #"{"timestamp":\#(milliseconds),"heartRate":151}"#)
            try await goOn(site, "ben", 108)
            try await max.sees("Hannah (1)")
            try await max.sees("Number 2")
            try await max.click(.button("Hannah (1)"))
            try await max.sees("151 per minute")
            let text: String = try await max.evaluate("document.body.innerText")
            #expect(!text.contains("ben") && !text.contains("Ben"), "no user name")
            try await max.picture("run-watched")
            try await max.resize(width: 360, height: 740)
            try await max.wait(for: "a page that fits", fits)
            try await max.picture("run-watched-360")
            try await display.sees("Hannah (1)")
            try await display.picture("run-display")
            // A spectator who leaves and returns sees it immediately.
            try await max.reload()
            try await max.sees("Hannah (1)")
            for metres in [150.0, 202, 204] {
                try await goOn(site, "ben", metres)
                try await Task.sleep(for: .seconds(5))
            }
            try await display.wait(
                for: "the time", "/\\d:\\d\\d/.test(document.querySelector('.ranking').innerText)")
            try await site.installation.done("ann", "run.end", #"{"run":"\#(run)"}"#)
            try await max.shows(.button("Replay"))
            try await max.resize(width: 1280, height: 800)
            try await max.click(.button("Replay"))
            try await max.shows(.button("Play"))
            try await max.click(.button("Play"))
            try await max.sees("did not finish")
            try await max.picture("run-over")
            let results = try await site.installation.done(
                "ann", "run.results", #"{"run":"\#(run)"}"#)
            #expect(
                results["results"].elements.map { $0["status"] } == ["finished", "did-not-finish"])
        }
    }
}
