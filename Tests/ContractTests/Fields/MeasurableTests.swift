import JSON
import Testing

@testable import Contract

/// Values that mean "no reading", and impossible values.
struct MeasurableTests {
    private static let vitals = VitalSigns.Quantity.allCases.map { ($0.rawValue, $0.measurable) }
    private static let all: [(String, Measurable)] =
        vitals + [
            ("altitude", .altitude), ("altitudeAccuracy", .altitudeAccuracy),
            ("heading", .heading), ("speed", .speed), ("battery", .battery),
        ]

    /// The invalid values of FIT's types, SFLOAT and FLOAT, Bluetooth's "value is not known".
    @Test(arguments: [
        0xFF, 0x7FFF, 0xFFFF, 0x7FFF_FFFF, 0xFFFF_FFFF, 3276.7, 6553.5, 655.35, -0x8000, -3276.8,
        -327.68, 0x7FE, 0x7FF, 0x800, 0x801, 0x802, 0x7F_FFFF, 0x80_0000, 0, -1,
    ])
    func `A format's value for "no reading" is not a vital sign`(_ value: Double) {
        for (name, kind) in MeasurableTests.vitals {
            #expect(kind.isNone(value) && kind.reading(value) == nil, "\(name) \(value)")
        }
    }

    @Test(arguments: [
        ("heartRate", 255), ("oxygenSaturation", 1), ("oxygenSaturation", 127),
        ("respiratoryRate", 0), ("respiratoryRate", 127), ("systolicPressure", 255),
        ("diastolicPressure", 0), ("diastolicPressure", 255), ("bodyTemperature", 127),
        ("bodyTemperature", 327.67), ("respiratoryRate", 327.67),
        ("altitude", 12_607), ("altitude", 32_767), ("altitude", 65_535), ("speed", 65.535),
        ("speed", -1), ("heading", -1), ("heading", 655.35), ("battery", 255), ("battery", -1),
        ("altitudeAccuracy", -1),
    ])
    func `A field's own value for "no reading" is not a reading`(_ name: String, _ value: Double)
        throws
    {
        let kind = try #require(MeasurableTests.all.first { $0.0 == name }?.1)
        #expect(kind.isNone(value) && kind.reading(value) == nil)
    }

    @Test(arguments: [
        ("heartRate", [1, 30, 127, 128, 254, 256, 500]), ("oxygenSaturation", [2, 63, 97, 100]),
        ("respiratoryRate", [1, 7, 126, 128]), ("systolicPressure", [60, 127, 254, 256]),
        ("diastolicPressure", [1, 80, 127, 254]), ("bodyTemperature", [10, 25.5, 36.6, 50]),
        ("altitude", [-1, 0, 127, 255, 2047, 12_606.9]), ("speed", [0, 255]),
        ("heading", [0, 127, 255, 360]), ("battery", [0, 100]), ("altitudeAccuracy", [0, 255]),
    ])
    func `Any other measurable value of a field is a reading`(_ name: String, _ values: [Double])
        throws
    {
        let kind = try #require(MeasurableTests.all.first { $0.0 == name }?.1)
        for value in values { #expect(kind.reading(value) == value, "\(value)") }
    }

    @Test func `An impossible value is reported with its field`() throws {
        var fields = try Fields(
            try JSONValue.parse(
                """
                {"speed":12000,"heading":"north","battery":101,"altitude":1e400,
                 "altitudeAccuracy":-1}
                """.bytes))
        #expect(fields.measured("speed", .speed) == nil)
        #expect(fields.measured("heading", .heading) == nil)
        #expect(fields.measured("battery", .battery) == nil)
        #expect(fields.measured("altitude", .altitude) == nil)
        #expect(fields.measured("altitudeAccuracy", .altitudeAccuracy) == nil)
        #expect(fields.measured("missing", .speed) == nil)
        #expect(fields.errors.isEmpty)
        try fields.check()
        #expect(
            fields.leftOut.map { "\($0.field) \($0.reason)" } == [
                "speed must be from 0 to 11200", "heading must be a number",
                "battery must be from 0 to 100", "altitude must be finite",
            ])
    }
}
