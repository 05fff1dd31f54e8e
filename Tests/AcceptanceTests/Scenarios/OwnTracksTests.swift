import Foundation
import TestSupport
import Testing

/// Phones with the OwnTracks app: MQTT 3.1.1, retained positions, times in seconds.
@Suite(.timeLimit(.minutes(2)))
struct OwnTracksTests {
    private func location(at metres: Double, age: Int64 = 0, _ more: String = "") -> String {
        """
        {"_type":"location","tid":"nn","lat":\(Place.latitude(metres)),"lon":14.5,\
        "tst":\(Int64(Date().timeIntervalSince1970) - age),"acc":12,"batt":80,"vel":36,\
        "created_at":1,"conn":"w","t":"u"\(more)}
        """
    }

    @Test func `An app is seen by the group, and sees the others on its own map`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            for user in ["ann", "ben"] {
                try await installation.setUpOwnTracks(user)
            }
            try await installation.start()
            let view = try await installation.listen(
                as: .device("ben", "tablet"), to: "kith/groups/\(group)/#")
            let ben = try await installation.listen(
                ["-V", "mqttv311"], as: .device("ben"), to: "owntracks/ben/+",
                "owntracks/ben/+/info", "owntracks/ben/+/event")
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            try await installation.publish(
                "owntracks/ann/phone", location(at: 250, age: 5), ["-V", "mqttv311", "-r"])
            let state = try await view.hears("Ann", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 250)
            }
            #expect(state.json["fix"]["speed"].number == 10)
            #expect(state.json["fix"]["battery"].number == 80)
            #expect(state.json["fix"]["accuracy"].number == 12)

            let pin = try await ben.hears("a pin", on: "owntracks/ben/@ann") {
                $0["lat"].number == Place.latitude(250)
            }
            #expect(pin.json["_type"] == "location")
            #expect(pin.json["vel"].number == 36)
            #expect(pin.json["tid"].text?.count == 2)
            try await ben.hears("a card", on: "owntracks/ben/@ann/info") {
                $0["_type"] == "card" && $0["name"] == "Ann"
            }

            try await installation.publish(
                "owntracks/ann/phone", location(at: 300, #","poi":"SOS""#), ["-V", "mqttv311"])
            let event = try await ben.hears("an event", on: "owntracks/ben/@ann/event")
            #expect(event.json["_type"] == "transition")
            #expect(event.json["event"] == "enter")
            #expect(event.json["desc"].text?.hasPrefix("SOS: Ann") == true)
            try await ben.hears("SOS in the name", on: "owntracks/ben/@ann/info") {
                $0["name"] == "Ann · SOS"
            }
        }
    }

    @Test func `A buffered upload, a repeated point, a broken one and unknown types do no harm`()
        async throws
    {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let view = try await installation.listen(
                as: .device("ann"), to: "kith/groups/\(group)/#",
                Topic.device("ann") + "/rejected")
            try await installation.done("ann", "sharing.start", #"{"groups":"all"}"#)
            let point = location(at: 10)
            let topic = "owntracks/ann/phone"
            try await installation.publish(topic, point, ["-V", "mqttv311"])
            try await installation.publish(topic, point, ["-V", "mqttv311"])
            try await installation.publish(
                topic, #"{"_type":"steps","steps":3}"#, ["-V", "mqttv311"])
            try await installation.publish(
                topic + "/waypoint", #"{"_type":"waypoint","desc":"x"}"#, ["-V", "mqttv311"])
            try await installation.publish(
                topic, #"{"_type":"location","lat":91,"lon":0,"tst":1}"#, ["-V", "mqttv311"])
            try await installation.publish(Topic.fix("ann"), fix(at: 20, age: -2))
            try await view.hears("the last", on: Topic.member(group, "ann")) {
                $0["fix"].isFix(at: 20)
            }
            let seen = view.heard.filter { $0.json["fix"].isFix(at: 10) }
            #expect(Set(seen.map(\.json["version"])).count == 1)
            let refused = view.heard.filter { $0.topic.hasSuffix("/rejected") }
            #expect(refused.count == 1)
            #expect(refused.first?.json["problem"]["type"] == "urn:kith:problem:invalid")
        }
    }

    /// A stationary phone sends its position again, with the time of that position.
    @Test func `An SOS from an already reported position is received`() async throws {
        try await withInstallation { installation in
            let group = try await installation.family("ann", "ben")
            try await installation.start()
            let view = try await installation.listen(as: .device("ben"), to: Topic.alerts(group))
            let point = location(at: 10)
            let marked = point.replacing(#""t":"u""#, with: #""t":"u","poi":"SOS""#)
            for payload in [point, marked] {
                try await installation.publish("owntracks/ann/phone", payload, ["-V", "mqttv311"])
            }
            try await view.hears("SOS", on: Topic.alerts(group)) { $0["kind"] == "sos" }
        }
    }
}
