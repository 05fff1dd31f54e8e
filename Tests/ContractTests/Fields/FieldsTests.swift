import Contract
import JSON
import Testing
import Tracking

struct FieldsTests {
    private func fields(_ text: String, prefix: String = "") throws -> Fields {
        try Fields(try JSONValue.parse(text.bytes), prefix: prefix)
    }

    @Test func `All field errors are reported at once`() throws {
        var fields = try fields(
            """
            {"string":1,"number":"1","far":91,"integer":1.5,"big":101,"bool":"true","time":"soon",
             "name":"Ann","infinite":1e400}
            """)
        #expect(fields.string("string") == nil)
        #expect(fields.number(ifPresent: "number", in: 0...1) == nil)
        #expect(fields.number(ifPresent: "far", in: -90...90) == nil)
        #expect(fields.integer(ifPresent: "integer", in: 0...100) == nil)
        #expect(fields.integer(ifPresent: "big", in: 0...100) == nil)
        #expect(fields.bool(ifPresent: "bool") == nil)
        #expect(fields.time("time") == nil)
        #expect(fields.name("name") == nil)
        #expect(fields.number("infinite", in: 0...1) == nil)
        #expect(fields.string("missing") == nil)
        #expect(fields.number("missing", in: 0...1) == nil)
        #expect(fields.time("missing") == nil)
        #expect(
            refusal { () throws(Problem) in try fields.check() } == """
                invalid: string must be a string; number must be a number; \
                far must be from -90 to 90; \
                integer must be a whole number from 0 to 100; \
                big must be a whole number from 0 to 100; \
                bool must be true or false; \
                time must be an RFC 3339 time or epoch milliseconds; \
                name \(notAName); \
                infinite must be finite; \
                missing is missing; missing is missing; missing is missing
                """)
    }

    @Test func `An absent or null field is nil without an error`() throws {
        var fields = try fields(#"{"a":null}"#)
        for field in ["a", "b"] {
            #expect(fields[field] == nil)
            #expect(fields.string(ifPresent: field) == nil)
            #expect(fields.number(ifPresent: field, in: 0...1) == nil)
            #expect(fields.integer(ifPresent: field, in: 0...1) == nil)
            #expect(fields.bool(ifPresent: field) == nil)
            #expect(fields.time(ifPresent: field) == nil)
        }
        #expect(fields.errors.isEmpty)
        #expect(fields.string("a") == nil)
        #expect(fields.errors == [.init(field: "a", reason: "is missing")])
    }

    @Test func `Error paths name the nested field`() throws {
        var outer = try fields(#"{"destination":{"latitude":91,"deep":{}},"other":5}"#)
        let nested: Bool? = outer.nested("destination") { (fields) throws(Problem) in
            _ = fields.number("latitude", in: -90...90)
            let deep: Bool? = fields.nested("deep") { (fields) throws(Problem) in
                _ = fields.string("text")
                return true
            }
            return deep
        }
        #expect(nested == true)
        let other: Bool? = outer.nested("other") { _ in true }
        #expect(other == nil)
        let missing: Bool? = outer.nested("missing") { _ in true }
        #expect(missing == nil)
        #expect(
            outer.errors.map { "\($0.field) \($0.reason)" } == [
                "destination.latitude must be from -90 to 90", "destination.deep.text is missing",
                "other must be an object", "missing is missing",
            ])
        var element = try fields("{}", prefix: "[3].")
        _ = element.string("text")
        #expect(element.errors.map(\.field) == ["[3].text"])
    }

    @Test func `The problem of a refused nested object is kept, even without field errors`() throws
    {
        let old = Problem(.tooOld, "It was taken too long ago.")
        var outer = try fields(#"{"outer":{"inner":{}},"other":1}"#)
        let value: Bool? = outer.nested("outer") { (fields) throws(Problem) in
            let inner: Bool? = fields.nested("inner") { (_) throws(Problem) in throw old }
            return inner
        }
        #expect(value == nil)
        #expect(outer.errors.isEmpty)
        #expect(refusal { () throws(Problem) in try outer.check() } == "too-old")
        // Field errors are reported first.
        _ = outer.string("other")
        let words = refusal { () throws(Problem) in try outer.check() }
        #expect(words == "invalid: other must be a string")
    }

    @Test(arguments: ["1", "null", "[]", "\"{}\"", "true"])
    func `A value that is not an object is rejected`(_ text: String) throws {
        let value = try JSONValue.parse(text.bytes)
        #expect(
            refusal { () throws(Problem) in _ = try Fields(value) }
                == "invalid: payload must be an object")
    }

    @Test(arguments: [
        ("1777629600000", 1_777_629_600_000), ("1777629600000.9", 1_777_629_600_000),
        ("1.7776296e12", 1_777_629_600_000), ("0", 0), ("-1", -1),
        ("\"2026-05-01T10:00:00Z\"", 1_777_629_600_000),
        ("253402300799999", 253_402_300_799_999), ("-62135596800000", -62_135_596_800_000),
        ("253402300800000", nil), ("-62135596800001", nil), ("1e400", nil), ("-1e400", nil),
        ("\"1777629600000\"", nil), ("\"\"", nil), ("true", nil), ("[]", nil),
    ])
    func `A time is RFC 3339 or epoch milliseconds`(_ text: String, _ expected: Int64?) throws {
        var fields = try fields("{\"t\":\(text)}")
        #expect(fields.time("t")?.milliseconds == expected)
        #expect(fields.errors.isEmpty == (expected != nil))
    }

    @Test(arguments: [
        ("0", 0.0), ("1", 1.0), ("0.5", 0.5), ("-0", 0), ("1.0000000001", nil), ("-1e-300", nil),
    ])
    func `A range includes its ends`(_ text: String, _ expected: Double?) throws {
        var fields = try fields("{\"x\":\(text)}")
        #expect(fields.number("x", in: 0...1) == expected)
        #expect(fields.errors.isEmpty == (expected != nil))
    }
}
