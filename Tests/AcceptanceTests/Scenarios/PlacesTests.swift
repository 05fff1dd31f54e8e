import Foundation
import TestBroker
import TestSupport
import Testing

/// Places, reminders at them, and place notifications about people, with stock clients.
@Suite(.timeLimit(.minutes(3)))
struct PlacesTests {
    private static let campus = """
        {"type":"FeatureCollection","features":[
        {"type":"Feature","id":"node/1","geometry":{"type":"Point","coordinates":[14.5,46.05]},
        "properties":{"name":"Library","amenity":"library","opening_hours":"24/7"}},
        {"type":"Feature","id":"node/2","geometry":{"type":"Point","coordinates":[14.51,46.05]},
        "properties":{"amenity":"bench"}},
        {"type":"Feature","id":"node/3","geometry":{"type":"Polygon","coordinates":
        [[[14.52,46.05],[14.54,46.05],[14.54,46.07],[14.52,46.05]]]},
        "properties":{"tags":{"name":"Canteen","amenity":"restaurant","website":"ftp://x"}}}]}
        """

    /// - Returns: the command's output.
    private func importCampus(
        _ installation: Installation, _ text: String = campus, _ more: String...
    )
        async throws -> String
    {
        let file = installation.directory + "/campus.geojson"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        return try await Program.succeed(
            Program.kith,
            [
                "place", "import", file, "--time-zone", "Europe/Ljubljana", "--data",
                installation.directory,
            ]
                + more)
    }

    @Test func `An operator imports places, and every logged-in user finds them`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let report = try await importCampus(installation)
            #expect(report.contains("Feature 2 has no name; not imported."))
            #expect(report.contains("Feature 3: its website must be"))
            #expect(report.contains("Imported 2 new and 0 changed places as campus"))
            let again = try await importCampus(installation)
            #expect(
                again.contains("Imported 0 new and 0 changed places as campus; 2 unchanged"))
            let found = try await installation.done(
                "ann", "place.list", #"{"near":{"latitude":46.06,"longitude":14.53}}"#)["places"]
            #expect(found.elements.map { $0["name"].text } == ["Canteen", "Library"])
            #expect(found.elements.last?["state"] == "open")
            #expect(found.elements.first?["website"] == .null)
            let id = found.elements.last?["place"].text ?? ""
            let listener = try await installation.listen(
                as: .device("ben"), to: "kith/places/\(id)")
            try await listener.hears("the place", on: "kith/places/\(id)") {
                $0["name"] == "Library"
            }
            // A new file without the canteen.
            let shorter = PlacesTests.campus.replacing("\"name\":\"Canteen\",", with: "")
            let replaced = try await importCampus(installation, shorter, "--replace")
            #expect(replaced.contains("1 removed"))
            let left = try await installation.done("ben", "place.list")["places"]
            #expect(left.elements.map { $0["name"].text } == ["Library"])
        }
    }

    @Test func `A reminder due while the bridge is down is sent once, when it is back`()
        async throws
    {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            _ = try await importCampus(installation)
            let places = try await installation.done("ann", "place.list")["places"].elements
            let id = places.first { $0["name"] == "Library" }?["place"].text ?? ""
            let ann = try await installation.listen(
                as: .device("ann"), to: "kith/users/ann/notices")
            let due = Int(Date.now.timeIntervalSince1970 * 1_000) + 6_000
            try await installation.done(
                "ann", "reminder.create", #"{"place":"\#(id)","text":"Books","at":\#(due)}"#)
            await installation.crash()
            while Int(Date.now.timeIntervalSince1970 * 1_000) <= due {
                try await Task.sleep(for: .milliseconds(50))
            }
            try await installation.start()
            let told = try await ann.hears("the reminder", on: "kith/users/ann/notices") {
                $0["kind"] == "reminder"
            }
            #expect(told.json["text"] == "Books" && told.json["placeName"] == "Library")
            await installation.crash()
            try await installation.start()
            let notices = try await installation.done("ann", "notice.list")["notices"].elements
            #expect(notices.count { $0["kind"] == "reminder" } == 1)
        }
    }

    @Test func `A parent is notified of a child's arrival, if the child agrees`() async throws {
        try await withInstallation { installation in
            _ = try await installation.family("ann", "ben")
            try await installation.start()
            let ben = try await installation.listen(
                as: .device("ben"), to: "kith/users/ben/notices")
            let made = try await installation.done(
                "ben", "geofence.create",
                #"{"name":"School","latitude":46.05,"longitude":14.5,"radius":100}"#)
            let fence = made["geofence"]["geofence"].text ?? ""
            let added = try await installation.done(
                "ben", "geofence.rule.add",
                #"{"geofence":"\#(fence)","when":"arrives","user":"ann"}"#)
            let rule = added["rule"]["rule"].text ?? ""
            try await installation.done(
                "ann", "geofence.rule.answer", #"{"rule":"\#(rule)","agree":true}"#)
            try await ben.hears("that she agrees", on: "kith/users/ben/notices") {
                $0["kind"] == "place-rule-agreed"
            }
            // Each fix eleven seconds after the one before; the last one now.
            let now = Int(Date.now.timeIntervalSince1970 * 1_000)
            for (index, latitude) in [46.07, 46.07, 46.0501, 46.05].enumerated() {
                if index == 2 {
                    await installation.crash()
                    try await installation.start()
                }
                let time = now - (3 - index) * 11_000
                try await installation.publish(
                    Topic.fix("ann"),
                    #"{"latitude":\#(latitude),"longitude":14.5,"accuracy":5,"timestamp":\#(time)}"#
                )
            }
            let told = try await ben.hears("the arrival", on: "kith/users/ben/notices") {
                $0["kind"] == "place-arrived"
            }
            #expect(told.json["user"] == "ann" && told.json["placeName"] == "School")
            #expect(told.json["latitude"] == .null, "where somebody is says nobody")
        }
    }
}
