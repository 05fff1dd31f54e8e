import Browser
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct JourneyPageTests {
    @Test func `A journey begins with a tap on the map, and ends on arrival`() async throws {
        try await withWebsite { site in
            let group = try await site.family("ben")
            let ben = try await site.installation.listen(
                as: .device("ben"), to: Topic.alerts(group))
            let page = try await site.logIn("ann")
            try await page.setLocation(latitude: Place.latitude(0), longitude: Place.longitude)
            try await page.click(.button("Where am I?"))
            try await page.sees("You are here")
            try await page.click(.button("Start a journey"))
            try await page.click(.button("Choose on the map"))
            try await page.sees("Tap the map where you are going.")
            let middle: [Double] = try await page.evaluate(
                """
                (() => {
                    const box = document.getElementById('map').getBoundingClientRect();
                    return [box.x + box.width * 0.6, box.y + box.height / 3];
                })()
                """)
            try await page.click(x: middle[0], y: middle[1])
            try await page.sees("Destination: 46.05")
            try await page.type(into: .field("Name"), "Granny's")
            try await page.click(.choice("20\u{a0}min"))
            try await page.click(.button("Start"))
            let began = try await ben.hears("Ann's journey", on: Topic.alerts(group)) {
                $0["kind"] == "journey-started"
            }
            #expect(began.json["text"].text?.contains("Granny's") == true)
            try await page.sees("On the way to Granny's")

            let member = try await site.installation.listen(
                as: .device("ben"), to: Topic.member(group, "ann"))
            let state = try await member.hears("where Ann goes", on: Topic.member(group, "ann")) {
                $0["state"] == "routing" && $0["journey"]["destination"]["latitude"].number != nil
            }
            let goal = state.json["journey"]["destination"]
            let eta = try #require(state.json["journey"]["eta"].text)
            try await page.click(.button("+10\u{a0}min"))
            try await member.hears("another time", on: Topic.member(group, "ann")) {
                $0["journey"]["eta"].text ?? eta > eta
            }
            // The form has turned sending on. Her start is published immediately, because an
            // arrival counts only for a user who was elsewhere before.
            try await member.hears("Ann at the start", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 0)
            }
            let latitude = try #require(goal["latitude"].number)
            let longitude = try #require(goal["longitude"].number)
            // Some 30 m apart, so that the page sends both: an arrival takes two fixes.
            for place in [latitude + 0.000_3, latitude] {
                try await page.setLocation(latitude: place, longitude: longitude)
                try await member.hears("Ann near the goal", on: Topic.member(group, "ann")) {
                    abs(($0["fix"]["latitude"].number ?? 0) - place) < 0.000_01
                }
            }
            // So near to the start, an arrival takes a while, or until it is due.
            try await site.installation.done(
                "ann", "journey.start", #"{"extend":true,"eta":"\#(time(in: 8))"}"#)
            try await ben.hears("her arrival", on: Topic.alerts(group)) {
                $0["kind"] == "journey-arrived"
            }
            try await page.shows(.button("Start a journey"))
        }
    }

    @Test func `A journey can be typed, and all mistakes are shown`() async throws {
        try await withWebsite { site in
            _ = try await site.family("ben")
            let page = try await site.logIn("ann", width: 360, height: 740)
            try await page.click(.button("Start a journey"))
            try await page.click(.button("Start"))
            try await page.sees("Choose where you are going.")
            try await page.click(.disclosure("Enter coordinates"))
            try await page.type(into: .field("Latitude"), "146")
            try await page.type(into: .field("Longitude"), "14,5")
            try await page.click(.toggle("Family"))
            try await page.click(.button("Start"))
            try await page.sees("Latitude and longitude are degrees")
            try await page.sees("Choose at least one")
            try await page.type(into: .field("Latitude"), "46,1")
            try await page.click(.toggle("Family"))
            try await page.click(.css("form input[name=sends]"))
            try await page.click(.button("Start"))
            try await page.sees("On the way to 46.1000° N, 14.5000° E")
            try await page.click(.button("Stop"))
            try await page.click(.button("Stop the journey"))
            try await page.shows(.button("Start a journey"))
        }
    }
}
