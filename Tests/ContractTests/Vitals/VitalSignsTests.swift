import JSON
import Testing
import Tracking

@testable import Contract

struct VitalSignsTests {
    private func read(_ text: String) throws(Problem) -> VitalsMessage {
        try VitalsMessage(text.bytes, receivedAt: .now, FixLimits())
    }

    /// Its errors by field; empty if there are none.
    private func errors(_ text: String) throws -> [String] {
        try read(text).refusals.flatMap { refusal in
            refusal.problem.errors.isEmpty
                ? [refusal.problem.kind.rawValue] : refusal.problem.errors.map(\.field)
        }
    }

    private static let time = #""timestamp":\#(Timestamp.now.milliseconds)"#

    @Test func `A complete sample is read and written unchanged`() throws {
        let text = """
            {\(VitalSignsTests.time),"heartRate":72.5,"oxygenSaturation":97,"respiratoryRate":14,\
            "systolicPressure":120,"diastolicPressure":80,"bodyTemperature":36.6,\
            "consciousness":"alert","activity":"rest","seq":7}
            """
        let sample = try #require(try read(text).samples.first)
        #expect(sample[.heartRate] == 72.5)
        #expect(sample[.diastolicPressure] == 80)
        #expect(sample.consciousness == .alert && sample.activity == .rest)
        #expect(sample.sequence == 7)
        var json = JSONWriter()
        json.vitals(sample)
        let again = try VitalsMessage(json.bytes, receivedAt: .now, FixLimits())
        #expect(again.samples == [sample])
    }

    /// The sample in a message of one, and the fields that were left out.
    private func taken(_ members: String) throws -> (VitalSigns, leftOut: [String]) {
        let message = try read("{\(VitalSignsTests.time),\(members)}")
        #expect(message.refusals.isEmpty)
        let leftOut = message.leftOut?.errors.map(\.field) ?? []
        return (try #require(message.samples.first), leftOut)
    }

    @Test(arguments: VitalSigns.Quantity.allCases)
    func `An impossible vital sign is omitted, an unusual one is kept`(
        _ quantity: VitalSigns.Quantity
    ) throws {
        let (name, range) = (quantity.rawValue, quantity.range)
        let (usual, leftOut) = try taken("\"\(name)\":\(range.upperBound)")
        #expect(usual[quantity] == range.upperBound && leftOut == [])
        for value in [range.lowerBound - 0.1, range.upperBound + 0.1, -1e300, 1e300] {
            let (sample, leftOut) = try taken("\"\(name)\":\(value),\"activity\":\"rest\"")
            #expect(sample.kinds == .activity && leftOut == [name], "\(value)")
        }
        for value in ["\"72\"", "true", "[72]", "{}", "1e400"] {
            let (sample, leftOut) = try taken("\"\(name)\":\(value),\"activity\":\"rest\"")
            #expect(sample.kinds == .activity && leftOut == [name], "\(value)")
        }
        #expect("\(quantity.key)" == name)
    }

    /// A watch that is not worn: FIT, bands, and Bluetooth oximeters, thermometers and cuffs.
    @Test(arguments: [
        #""heartRate":255"#, #""heartRate":0"#, #""heartRate":-1"#, #""heartRate":65535"#,
        #""heartRate":null"#, #""oxygenSaturation":255"#, #""oxygenSaturation":127"#,
        #""oxygenSaturation":2047"#, #""oxygenSaturation":0"#, #""oxygenSaturation":-1"#,
        #""oxygenSaturation":1"#, #""respiratoryRate":255"#, #""respiratoryRate":0"#,
        #""respiratoryRate":-1"#, #""respiratoryRate":655.35"#, #""bodyTemperature":655.35"#,
        #""bodyTemperature":32767"#, #""bodyTemperature":-327.68"#, #""bodyTemperature":8388607"#,
        #""bodyTemperature":0"#, #""systolicPressure":255,"diastolicPressure":255"#,
        #""systolicPressure":2047,"diastolicPressure":2047"#,
        #""systolicPressure":0,"diastolicPressure":0"#, #""systolicPressure":65535"#,
        #""heartRate":255,"oxygenSaturation":255,"bodyTemperature":-1"#, #""activity":null"#,
    ])
    func `A sample of only "no reading" values is accepted and empty`(_ members: String) throws {
        let (sample, leftOut) = try taken(members + #","seq":9"#)
        #expect(sample.kinds.isEmpty && leftOut == [])
        #expect(sample.sequence == 9)
    }

    @Test func `A value that means "no reading" leaves the others intact`() throws {
        let (sample, leftOut) = try taken(
            #""heartRate":255,"oxygenSaturation":97,"bodyTemperature":"37","consciousness":"asleep""#
        )
        #expect(sample[.heartRate] == nil && sample[.oxygenSaturation] == 97)
        #expect(sample.kinds == VitalSigns.Kinds(.oxygenSaturation))
        #expect(leftOut == ["bodyTemperature", "consciousness"])
    }

    @Test func `Crossed blood pressures are both omitted`() throws {
        let (crossed, leftOut) = try taken(
            #""systolicPressure":80,"diastolicPressure":90,"heartRate":72"#)
        #expect(crossed.kinds == VitalSigns.Kinds(.heartRate))
        #expect(leftOut == ["diastolicPressure"])
        let (equal, none) = try taken(#""systolicPressure":80,"diastolicPressure":80"#)
        #expect(equal[.systolicPressure] == 80 && none == [])
        let (half, _) = try taken(#""systolicPressure":120,"diastolicPressure":255"#)
        #expect(half[.systolicPressure] == 120 && half[.diastolicPressure] == nil)
    }

    @Test func `A sample without a time or without values is refused`() throws {
        #expect(try errors(#"{"heartRate":72}"#) == ["timestamp"])
        #expect(try errors("{\(VitalSignsTests.time)}") == ["timestamp"])
        // A near miss of a name is reported with the right one.
        #expect(
            try errors("{\(VitalSignsTests.time),\"heart_rate\":72}") == [
                "timestamp", "heart_rate",
            ])
        #expect(try errors("{\(VitalSignsTests.time),\"glucose\":5}") == ["timestamp"])
        #expect(throws: Problem.self) { try read("[") }
    }

    @Test func `A sample from the future or from long ago is refused for its time alone`() throws {
        let future = (Timestamp.now + .seconds(61)).milliseconds
        let past = (Timestamp.now - FixLimits().retention - .seconds(1)).milliseconds
        let message = try read(
            """
            [{"timestamp":\(future),"heartRate":72,"seq":1},\
            {"timestamp":\(past),"heartRate":72,"seq":2},\
            {"timestamp":\(past),"seq":3}]
            """)
        #expect(message.samples.isEmpty)
        #expect(message.refusals.flatMap(\.mistimed).sorted() == [1, 2])
        #expect(message.refusals.flatMap(\.sequences).sorted() == [1, 2, 3])
    }

    @Test func `A part of a sample keeps its kinds`() throws {
        let text =
            "{\(VitalSignsTests.time),\"heartRate\":72,\"bodyTemperature\":37,\"activity\":\"rest\"}"
        let sample = try #require(try read(text).samples.first)
        let part = sample.only(sample.kinds.subtracting(.activity))
        #expect(part[.heartRate] == 72 && part.activity == nil)
        #expect(part.kinds.rawValue == 33)
        let stored = VitalSigns(
            takenAt: part.takenAt, receivedAt: part.receivedAt, sequence: nil,
            content: part.sealedContent)
        #expect(stored == part)
        // The database stores these.
        let bits = VitalSigns.Quantity.allCases.map { VitalSigns.Kinds($0).rawValue }
        #expect(bits == [1, 2, 4, 8, 16, 32])
    }

    // MARK: Open mHealth

    private func point(
        _ schema: String, _ body: String, frame: String? = nil
    ) -> String {
        let frame = frame ?? #"{"date_time":"2026-11-23T04:00:00Z"}"#
        return """
            {"header":{"id":"243c773b-8936-407e-9c23-270d0ea49cc4","creation_date_time":\
            "2026-11-23T04:00:01Z","schema_id":{"namespace":"omh","name":"\(schema)","version":"2.0"}},\
            "body":{\(body),"effective_time_frame":\(frame)}}
            """
    }

    private func readPoint(_ text: String) throws -> VitalSigns? {
        let now = try #require(Timestamp(rfc3339: "2026-11-23T05:00:00Z"))
        let message = try VitalsMessage(text.bytes, receivedAt: now, FixLimits())
        return message.samples.first
    }

    @Test func `Open mHealth data points are read in their units`() throws {
        let rate = try #require(
            try readPoint(
                point(
                    "heart-rate",
                    #""heart_rate":{"value":50,"unit":"beats/min"},"temporal_relationship_to_physical_activity":"at rest""#
                )))
        #expect(rate[.heartRate] == 50 && rate.activity == .rest)
        #expect(rate.takenAt == Timestamp(rfc3339: "2026-11-23T04:00:00Z"))
        let night = try readPoint(
            point(
                "heart-rate",
                #""heart_rate":{"value":48,"unit":"beats/min"},"temporal_relationship_to_sleep":"during sleep""#
            ))
        #expect(night?.activity == .sleep)
        let pressure = try readPoint(
            point(
                "blood-pressure",
                #""systolic_blood_pressure":{"value":160,"unit":"mmHg"},"diastolic_blood_pressure":{"value":60,"unit":"mmHg"}"#,
                frame:
                    #"{"time_interval":{"start_date_time":"2026-11-23T03:00:00Z","end_date_time":"2026-11-23T03:01:00Z"}}"#
            ))
        #expect(pressure?[.systolicPressure] == 160 && pressure?[.diastolicPressure] == 60)
        #expect(pressure?.takenAt == Timestamp(rfc3339: "2026-11-23T03:01:00Z"))
        for (value, unit) in [(98.6, "F"), (37, "C"), (310.15, "K")] {
            let sample = try readPoint(
                point(
                    "body-temperature",
                    #""body_temperature":{"value":\#(value),"unit":"\#(unit)"}"#))
            #expect(abs((sample?[.bodyTemperature] ?? 0) - 37) < 0.001)
        }
    }

    @Test(arguments: [
        ("step-count", #""step_count":{"value":50,"unit":"steps"}"#, "header.schema_id.name"),
        ("heart-rate", #""heart_rate":{"value":50,"unit":"Hz"}"#, "body.heart_rate"),
        ("heart-rate", #""heart_rate":{"unit":"beats/min"}"#, "body.heart_rate"),
        ("heart-rate", #""heart_rate":50"#, "body.heart_rate"),
        (
            "heart-rate",
            #""heart_rate":{"value":50,"unit":"beats/min"},"descriptive_statistic":"maximum""#,
            "body.descriptive_statistic"
        ),
    ])
    func `An invalid data point is refused with its field`(
        _ schema: String, _ body: String, _ field: String
    ) throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-23T05:00:00Z"))
        let message = try VitalsMessage(
            point(schema, body).bytes, receivedAt: now, FixLimits())
        #expect(message.refusals.first?.problem.errors.map(\.field) == [field])
    }

    @Test(arguments: [
        ("heart-rate", #""heart_rate":{"value":255,"unit":"beats/min"}"#, nil),
        ("heart-rate", #""heart_rate":{"value":900,"unit":"beats/min"}"#, "body.heart_rate"),
        ("oxygen-saturation", #""oxygen_saturation":{"value":127,"unit":"%"}"#, nil),
        (
            "oxygen-saturation", #""oxygen_saturation":{"value":0.97,"unit":"%"}"#,
            "body.oxygen_saturation"
        ),
        ("body-temperature", #""body_temperature":{"value":655.35,"unit":"K"}"#, nil),
        ("body-temperature", #""body_temperature":{"value":0,"unit":"F"}"#, nil),
        (
            "blood-pressure",
            #""systolic_blood_pressure":{"value":60,"unit":"mmHg"},"diastolic_blood_pressure":{"value":160,"unit":"mmHg"}"#,
            "body.diastolic_blood_pressure"
        ),
    ])
    func `A data point with an impossible value is accepted and empty`(
        _ schema: String, _ body: String, _ leftOut: String?
    ) throws {
        let now = try #require(Timestamp(rfc3339: "2026-11-23T05:00:00Z"))
        let message = try VitalsMessage(point(schema, body).bytes, receivedAt: now, FixLimits())
        #expect(message.refusals.isEmpty && message.samples.map(\.kinds.isEmpty) == [true])
        #expect(message.leftOut?.errors.map(\.field) == leftOut.map { [$0] })
    }

    @Test func `A data point without a time is refused`() throws {
        let text = point(
            "heart-rate", #""heart_rate":{"value":50,"unit":"beats/min"}"#, frame: "{}")
        #expect(try errors(text) == ["body.effective_time_frame"])
    }
}
