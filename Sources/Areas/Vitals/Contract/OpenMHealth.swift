internal import JSON
internal import Tracking

/// Data points of Open mHealth: a `header` that names the schema, and a `body`. The schemas are
/// `heart-rate`, `oxygen-saturation`, `respiratory-rate`, `blood-pressure` and `body-temperature` in
/// versions 1 to 3 (<https://www.openmhealth.org/documentation/#/schema-docs/schema-library>).
enum OpenMHealth {
    /// A data point, as far as it is recognised as one.
    static let schema = Schema.object([
        .init("header", .object([])), .init("body", .object([])),
    ])

    static func isDataPoint(_ value: JSONValue) -> Bool {
        if case .object? = value["header"], case .object? = value["body"] { true } else { false }
    }

    /// A member of a body, `{value,unit}`, and its meaning.
    private struct Measure {
        let member: String
        let quantity: VitalSigns.Quantity
        /// The conversions by unit.
        let units: [String: @Sendable (Double) -> Double]

        init(
            _ member: String, _ quantity: VitalSigns.Quantity,
            in units: [String: @Sendable (Double) -> Double]
        ) { (self.member, self.quantity, self.units) = (member, quantity, units) }

        init(_ member: String, _ quantity: VitalSigns.Quantity, in unit: String) {
            self.init(member, quantity, in: [unit: { $0 }])
        }
    }

    /// Keyed by the name of the schema.
    private static let measures: [String: [Measure]] = [
        "heart-rate": [Measure("heart_rate", .heartRate, in: "beats/min")],
        "oxygen-saturation": [Measure("oxygen_saturation", .oxygenSaturation, in: "%")],
        "respiratory-rate": [Measure("respiratory_rate", .respiratoryRate, in: "breaths/min")],
        "blood-pressure": [
            Measure("systolic_blood_pressure", .systolicPressure, in: "mmHg"),
            Measure("diastolic_blood_pressure", .diastolicPressure, in: "mmHg"),
        ],
        "body-temperature": [
            Measure(
                "body_temperature", .bodyTemperature,
                in: [
                    "C": { $0 }, "F": { ($0 - 32) / 1.8 }, "K": { $0 - 273.15 },
                ])
        ],
    ]

    /// - Parameter fields: records the errors.
    static func read(_ value: JSONValue, _ fields: inout Fields) -> VitalSigns.Content {
        var content = VitalSigns.Content()
        content.timeField = "body.effective_time_frame"
        content.takenAt = time(of: value)
        if content.takenAt == nil {
            fields.refuse(content.timeField, "must have a date_time or a time_interval")
        }
        let schema = value["header"]?["schema_id"]?["name"]?.text
        guard let schema, let measures = measures[schema] else {
            fields.refuse(
                "header.schema_id.name",
                "must be one of \(measures.keys.sorted().joined(separator: ", "))")
            return content
        }
        let body = value["body"] ?? .null
        if let statistic = body["descriptive_statistic"]?.text,
            !["average", "median"].contains(statistic)
        {
            fields.refuse("body.descriptive_statistic", "must be average or median, or missing")
        }
        for measure in measures {
            content.values[measure.quantity] = number(measure, in: body, &fields)
        }
        fields.leaveOutPressures("body.diastolic_blood_pressure", of: &content.values)
        content.activity = activity(body)
        return content
    }

    private static func number(_ measure: Measure, in body: JSONValue, _ fields: inout Fields)
        -> Double?
    {
        let field = "body.\(measure.member)"
        guard case .number(let value)? = body[measure.member]?["value"], value.isFinite else {
            fields.refuse(field, "must have a value, a number")
            return nil
        }
        guard let unit = body[measure.member]?["unit"]?.text, let convert = measure.units[unit]
        else {
            fields.refuse(
                field,
                "must have the unit \(measure.units.keys.sorted().joined(separator: " or "))")
            return nil
        }
        let (kind, converted) = (measure.quantity.measurable, convert(value))
        if kind.isNone(value) || kind.isNone(converted) { return nil }
        if !kind.range.contains(converted) { fields.leaveOut(field, "is not possible") }
        return kind.reading(converted)
    }

    private static func activity(_ body: JSONValue) -> VitalSigns.Activity? {
        if body["temporal_relationship_to_sleep"]?.text == "during sleep" { return .sleep }
        return switch body["temporal_relationship_to_physical_activity"]?.text {
        case "at rest": .rest
        case "active", "during exercise": .exercise
        default: nil
        }
    }

    /// Returns the time of a value; for an interval, its end.
    static func time(of value: JSONValue) -> Timestamp? {
        guard let frame = value["body"]?["effective_time_frame"] else { return nil }
        if let time = Timestamp(inMember: "date_time", of: frame) { return time }
        guard let interval = frame["time_interval"] else { return nil }
        return Timestamp(inMember: "end_date_time", of: interval)
            ?? Timestamp(inMember: "start_date_time", of: interval)
    }
}
