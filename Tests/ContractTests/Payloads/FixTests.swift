import Contract
import JSON
import Testing
import Tracking

/// Fix (contract, section 5), in and out.
struct FixTests {
    /// The Fix that is read from this JSON text.
    private func read(_ text: String) throws(Problem) -> Fix {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(text.bytes) } catch {
            throw Problem(error)
        }
        return try Fix(value, receivedAt: .now, FixLimits())
    }

    private func written(_ fix: Fix, asReceived: Bool = true) -> String {
        var json = JSONWriter()
        json.fix(fix, asReceived: asReceived)
        return json.bytes.text
    }

    private let required = #""latitude":46.05,"longitude":14.5,"timestamp":1777629600000"#

    @Test func `A complete Fix is read and written unchanged`() throws {
        let text = """
            {"latitude":46.0569465,"longitude":-14.5057515,"timestamp":"2026-05-01T09:59:58.250Z",\
            "accuracy":4.7,"altitude":298.1,"altitudeAccuracy":3,"heading":359.9,"speed":1.25,\
            "battery":71,"seq":17}
            """
        let fix = try read(text)
        #expect(written(fix, asReceived: false) == text)
        #expect(
            written(fix) == text.dropLast() + #","receivedAt":"2026-05-01T10:00:00.000Z"}"#)
        #expect(try read(written(fix)) == fix)
    }

    @Test func `A position and a time suffice`() throws {
        let fix = try read("{\(required)}")
        #expect(
            fix
                == Fix(
                    coordinate: try #require(Coordinate(latitude: 46.05, longitude: 14.5)),
                    takenAt: .now, receivedAt: .now))
        #expect(
            written(fix) == """
                {"latitude":46.05,"longitude":14.5,"timestamp":"2026-05-01T10:00:00.000Z",\
                "receivedAt":"2026-05-01T10:00:00.000Z"}
                """)
    }

    @Test func `Null counts as absent, and unknown keys are ignored`() throws {
        let nulls = [
            "accuracy", "altitude", "altitudeAccuracy", "heading", "speed", "battery", "seq",
        ]
        .map { "\"\($0)\":null" }.joined(separator: ",")
        #expect(
            try read("{\(required),\(nulls),\"x\":{\"y\":[]},\"type\":null}")
                == read("{\(required)}"))
    }

    @Test(arguments: [
        ("1777629600000", 0), ("1777629599999.9", -1), ("1.7776296e12", 0),
        ("\"2026-05-01T12:00:00+02:00\"", 0), ("1777629660000", 60_000),
        ("\"2026-05-01T10:01:00Z\"", 60_000), ("1775037600000", -2_592_000_000),
    ])
    func `The time is RFC 3339 or epoch milliseconds`(_ text: String, offset: Int64) throws {
        let fix = try read(#"{"latitude":46,"longitude":14,"timestamp":\#(text)}"#)
        #expect(fix.takenAt == .now + .milliseconds(offset))
    }

    @Test(arguments: [
        // Out of range.
        (#""latitude":90.0000001"#, "latitude must be from -90 to 90"),
        (#""latitude":-91"#, "latitude must be from -90 to 90"),
        (#""longitude":180.1"#, "longitude must be from -180 to 180"),
        (#""longitude":-1e9"#, "longitude must be from -180 to 180"),
        // Not finite, not a number.
        (#""latitude":1e400"#, "latitude must be finite"),
        (#""latitude":"46.05""#, "latitude must be a number"),
        (#""longitude":[14.5]"#, "longitude must be a number"),
        // Missing.
        (#""latitude":null"#, "latitude is missing"),
        (#""longitude":null"#, "longitude is missing"),
        (#""timestamp":null"#, "timestamp is missing"),
        // Times.
        (#""timestamp":1777629660001"#, "timestamp is more than 60 s in the future"),
        (#""timestamp":"2026-05-01T10:01:00.001Z""#, "timestamp is more than 60 s in the future"),
        (#""timestamp":"yesterday""#, "timestamp must be an RFC 3339 time or epoch milliseconds"),
        (#""timestamp":1e400"#, "timestamp must be an RFC 3339 time or epoch milliseconds"),
        (#""timestamp":-1e300"#, "timestamp must be an RFC 3339 time or epoch milliseconds"),
        (#""timestamp":{}"#, "timestamp must be an RFC 3339 time or epoch milliseconds"),
        // Nowhere.
        (
            #""latitude":0,"longitude":0"#,
            "latitude and longitude are exactly 0 with no accuracy"
        ),
        (
            #""latitude":-0.0,"longitude":0e5,"accuracy":null"#,
            "latitude and longitude are exactly 0 with no accuracy"
        ),
    ])
    func `An impossible Fix is refused with the reason`(_ members: String, reason: String) {
        // The last of two members with the same name counts.
        let outcome = refusal { () throws(Problem) in _ = try read("{\(required),\(members)}") }
        #expect(outcome == "invalid: \(reason)")
    }

    @Test(arguments: [
        #""latitude":0,"longitude":0,"accuracy":5"#, #""latitude":0"#, #""longitude":0"#,
        #""latitude":0,"longitude":0.0000001"#, #""latitude":90,"longitude":180"#,
        #""latitude":-90,"longitude":-180"#, #""accuracy":0"#, #""accuracy":20004000"#,
        #""altitude":-12000"#, #""altitude":2000000"#, #""speed":11200"#, #""battery":0"#,
        #""battery":100"#, #""seq":0"#, #""seq":9007199254740991"#, #""heading":0"#,
    ])
    func `Values at the bounds are accepted`(_ members: String) {
        let outcome = refusal { () throws(Problem) in _ = try read("{\(required),\(members)}") }
        #expect(outcome == "accepted")
    }

    /// The accepted Fix, and why fields were left out.
    private func leftOut(_ members: String) throws -> (Fix, [String]) {
        let message = try FixMessage(
            "{\(required),\(members)}".bytes, receivedAt: .now, FixLimits())
        let errors = message.leftOut?.errors ?? []
        return (
            try #require(message.fixes.first), errors.map { "\($0.field) \($0.reason)" }
        )
    }

    @Test(arguments: [
        (#""altitude":-12001"#, "altitude must be from -12000 to 2000000"),
        (#""altitude":"high""#, "altitude must be a number"),
        (#""altitudeAccuracy":-0.1"#, "altitudeAccuracy must be from 0 to 20004000"),
        (#""heading":360.1"#, "heading must be from 0 to 360"),
        (#""heading":[90]"#, "heading must be a number"),
        (#""speed":11201"#, "speed must be from 0 to 11200"),
        (#""speed":-1e999"#, "speed must be finite"),
        (#""battery":101"#, "battery must be from 0 to 100"),
        (#""battery":"71""#, "battery must be a number"),
        (#""seq":-1"#, "seq must be a whole number from 0 to 9007199254740991"),
        (#""seq":1.5"#, "seq must be a whole number from 0 to 9007199254740991"),
        (#""seq":9007199254740992"#, "seq must be a whole number from 0 to 9007199254740991"),
        (#""seq":"17""#, "seq must be a whole number from 0 to 9007199254740991"),
    ])
    func `An impossible optional field is omitted and reported`(_ member: String, reason: String)
        throws
    {
        let (fix, reasons) = try leftOut(member)
        #expect(try fix == read("{\(required)}"))
        #expect(reasons == [reason])
    }

    /// From iOS, Android and FIT.
    @Test(arguments: [
        #""speed":-1"#, #""heading":-1"#, #""battery":-1"#, #""battery":255"#,
        #""altitudeAccuracy":-1"#, #""altitude":12607"#, #""altitude":32767"#,
        #""altitude":-32768"#, #""altitude":65535"#, #""speed":65.535"#, #""speed":65535"#,
        #""heading":65535"#, #""speed":4294967295"#,
    ])
    func `A value that means "unknown" is omitted without a report`(_ member: String) throws {
        let (fix, reasons) = try leftOut(member)
        #expect(try fix == read("{\(required)}"))
        #expect(reasons == [])
    }

    @Test func `An impossible field leaves the others intact`() throws {
        let (fix, reasons) = try leftOut(
            #""altitude":1e9,"speed":1.5,"heading":-1,"battery":71,"seq":4"#)
        #expect(fix.altitude == nil && fix.heading == nil)
        #expect(fix.speed == 1.5 && fix.battery == 71 && fix.sequence == 4)
        #expect(reasons == ["altitude must be from -12000 to 2000000"])
    }

    @Test func `A heading of 360 becomes 0`() throws {
        #expect(try read(#"{\#(required),"heading":360}"#).heading == 0)
    }

    @Test func `A Fix older than the retention is too old`() throws {
        func outcome(_ age: Duration) -> String {
            let time = Timestamp.now - age
            return refusal { () throws(Problem) in
                _ = try read(
                    #"{"latitude":46,"longitude":14,"timestamp":\#(time.milliseconds)}"#)
            }
        }
        #expect(outcome(.seconds(30 * 86_400)) == "accepted")
        #expect(outcome(.seconds(30 * 86_400) + .milliseconds(1)) == "too-old")
    }

    @Test func `Field errors are reported together, before the age`() throws {
        let outcome = refusal { () throws(Problem) in
            _ = try read(#"{"latitude":91,"timestamp":0,"battery":"full"}"#)
        }
        #expect(
            outcome == """
                invalid: latitude must be from -90 to 90; longitude is missing; \
                battery must be a number
                """)
    }
}
