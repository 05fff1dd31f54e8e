import JSON
import Testing

@testable import HomeAssistant

/// The messages to Home Assistant about a group.
struct ExporterTests {
    private static let group = "FamilyFamilyFamily_-09"
    private static let source = "kith/groups/\(group)"

    private func exporter() -> Exporter {
        Exporter(
            ExporterTopics(discovery: "homeassistant", group: ExporterTests.group),
            source: ExporterTests.source, version: "1.2.3")
    }

    private func state(
        _ state: String = "active", name: String = "Ann Lake", warnings: String = "",
        fix: String = #"{"latitude":46.05,"longitude":14.5,"accuracy":12,"battery":80}"#,
        rest: String = ""
    ) -> [UInt8] {
        Array(
            """
            {"user":"ann","name":"\(name)","state":"\(state)","online":true,\
            "warnings":[\(warnings)],"fix":\(fix)\(rest),"version":3}
            """.utf8)
    }

    private func group(_ users: String...) -> [UInt8] {
        let members = users.map { #"{"user":"\#($0)","name":"N"}"# }.joined(separator: ",")
        return Array(#"{"group":"g","name":"Family","members":[\#(members)]}"#.utf8)
    }

    /// The texts by topic, without their common part.
    private func texts(_ messages: [ExporterMessage]) -> [String: String] {
        var texts: [String: String] = [:]
        for message in messages {
            let topic = message.topic.replacing(
                "kith-home/\(ExporterTests.group)/members/", with: ""
            )
            .replacing("kith_\(ExporterTests.group)", with: "*")
            texts[topic] = String(decoding: message.payload, as: UTF8.self)
        }
        return texts
    }

    private static let ann = source + "/members/ann"

    @Test func `A member has a position, an SOS, four warnings and a time of arrival`() throws {
        var exporter = exporter()
        let told = texts(exporter.take(ExporterTests.ann, state()))
        #expect(
            Set(told.keys) == [
                "homeassistant/device_tracker/*/ann_position/config",
                "homeassistant/binary_sensor/*/ann_sos/config",
                "homeassistant/binary_sensor/*/ann_late/config",
                "homeassistant/binary_sensor/*/ann_stuck/config",
                "homeassistant/binary_sensor/*/ann_silent/config",
                "homeassistant/binary_sensor/*/ann_offline/config",
                "homeassistant/sensor/*/ann_eta/config",
                "ann/position", "ann/sos", "ann/late", "ann/stuck", "ann/silent", "ann/offline",
                "ann/eta",
            ])
        #expect(
            told["ann/position"] == """
                {"latitude":46.05,"longitude":14.5,"gps_accuracy":12,"battery_level":80,\
                "state":"active","online":true}
                """)
        #expect(told["ann/sos"] == "OFF")
        #expect(told["ann/late"] == "OFF")
        #expect(told["ann/eta"] == "None")
        #expect(
            told["homeassistant/device_tracker/*/ann_position/config"] == """
                {"name":null,"unique_id":"kith_\(ExporterTests.group)_ann_position",\
                "default_entity_id":"device_tracker.kith_ann",\
                "json_attributes_topic":"kith-home/\(ExporterTests.group)/members/ann/position",\
                "source_type":"gps","availability_topic":"kith-home/\(ExporterTests.group)/status",\
                "qos":1,"device":{"identifiers":["kith_\(ExporterTests.group)_ann"],\
                "name":"Ann Lake","manufacturer":"Kith"},\
                "origin":{"name":"Kith","sw_version":"1.2.3"}}
                """)
        let sos = try #require(
            JSONValue(
                parsing: Array((told["homeassistant/binary_sensor/*/ann_sos/config"] ?? "").utf8)))
        #expect(sos["device_class"]?.text == "safety")
        #expect(sos["state_topic"]?.text == "kith-home/\(ExporterTests.group)/members/ann/sos")
    }

    @Test func `Updates publish states only, and discovery only for a new name`() {
        var exporter = exporter()
        _ = exporter.take(ExporterTests.ann, state())
        let late = texts(
            exporter.take(
                ExporterTests.ann,
                state(
                    "routing", warnings: #""late","offline""#,
                    rest:
                        #","journey":{"eta":"2026-11-24T18:00:00.000Z","destination":{"name":"Home"}}"#
                )))
        #expect(late.count == 7)
        #expect(late["ann/late"] == "ON")
        #expect(late["ann/offline"] == "ON")
        #expect(late["ann/stuck"] == "OFF")
        #expect(late["ann/eta"] == "2026-11-24T18:00:00.000Z")
        #expect(late["ann/position"]?.contains(#""destination":"Home""#) == true)
        #expect(texts(exporter.take(ExporterTests.ann, state("sos")))["ann/sos"] == "ON")
        #expect(exporter.take(ExporterTests.ann, state(name: "Ann")).count == 14)
    }

    @Test func `A member who hides their position has none in Home Assistant`() {
        var exporter = exporter()
        _ = exporter.take(ExporterTests.ann, state())
        let told = texts(exporter.take(ExporterTests.ann, state("inactive", fix: "null")))
        #expect(
            told["ann/position"]
                == #"{"latitude":null,"longitude":null,"state":"inactive","online":true}"#)
    }

    @Test func `A member who leaves is withdrawn, even after a downtime`() {
        var exporter = exporter()
        _ = exporter.take(ExporterTests.ann, state())
        let gone = exporter.take(ExporterTests.ann, [])
        #expect(gone.count == 14)
        #expect(gone.allSatisfy { $0.payload.isEmpty })
        let again = exporter.take(ExporterTests.ann, [])
        #expect(again.allSatisfy { $0.payload.isEmpty })

        _ = exporter.take(ExporterTests.ann, state())
        #expect(exporter.take(ExporterTests.source, group("ann")).isEmpty)
        #expect(exporter.take(ExporterTests.source, group("bob")).count == 14)

        // Leftovers of another run, whichever is received first.
        var later = self.exporter()
        let left =
            "homeassistant/device_tracker/kith_\(ExporterTests.group)/old_friend_position/config"
        #expect(later.note(earlier: left).isEmpty)
        let cleared = texts(later.take(ExporterTests.source, group("ann")))
        #expect(cleared["homeassistant/device_tracker/*/old_friend_position/config"] == "")
        #expect(cleared["old_friend/position"] == "")
        #expect(
            later.note(earlier: "kith-home/\(ExporterTests.group)/members/dora/sos").count == 14)
        #expect(later.note(earlier: "homeassistant/sensor/other/x_eta/config").isEmpty)
        #expect(later.note(earlier: "kith-home/\(ExporterTests.group)/status").isEmpty)
    }

    @Test func `An ended observer leaves nothing behind`() {
        var exporter = exporter()
        _ = exporter.note(earlier: "kith-home/\(ExporterTests.group)/members/bob/position")
        _ = exporter.take(ExporterTests.ann, state())
        let topics = exporter.withdrawAll()
        #expect(topics.count == 28)
        #expect(topics.allSatisfy { $0.payload.isEmpty })
        #expect(exporter.withdrawAll().isEmpty)
    }

    @Test func `Foreign topics and unreadable messages are ignored`() {
        var exporter = exporter()
        #expect(exporter.take("kith/groups/other/members/ann", state()).isEmpty)
        #expect(exporter.take(ExporterTests.ann + "/path/1", state()).isEmpty)
        #expect(exporter.take(ExporterTests.ann, Array("[".utf8)).isEmpty)
        #expect(exporter.take(ExporterTests.source, Array("{".utf8)).isEmpty)
    }
}
