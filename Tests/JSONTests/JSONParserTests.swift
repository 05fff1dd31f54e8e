import JSON
import Testing

/// RFC 8259, nothing more lenient.
struct JSONParserTests {
    /// On the right, the value as Kith writes it.
    @Test(arguments: [
        ("null", "null"),
        (" \t\r\n true \t\r\n ", "true"),
        ("false", "false"),
        ("0", "0"),
        ("\"\"", "\"\""),
        ("[]", "[]"),
        ("[ ]", "[]"),
        ("{}", "{}"),
        ("{ }", "{}"),
        ("[ 1 , [ 2 ] , { } ]", "[1,[2],{}]"),
        (#"{ "a" : 1 , "a" : 2 , "" : null }"#, #"{"a":1,"a":2,"":null}"#),
        (#"{"a":{"b":[{"c":"d"}]}}"#, #"{"a":{"b":[{"c":"d"}]}}"#),
        (#""\"\\\/""#, #""\"\\/""#),
        (#""\b\f\n\r\t""#, #""\u0008\u000c\u000a\u000d\u0009""#),
        (#""\u0041\u00e9\u20AC\uD83D\uDEF0""#, #""Aé€🛰""#),
        ("\"Größe 東京 🛰 \u{7F}\u{2028}\"", "\"Größe 東京 🛰 \u{7F}\u{2028}\""),
        // NUL is a character like any other.
        (#""\u0000""#, #""\u0000""#),
        (#""a\u0000b""#, #""a\u0000b""#),
        // Letters and their accents stay apart if they were.
        (#""e\u0301\n\u0301""#, "\"e\u{301}\\u000a\u{301}\""),
        (#"{"e\u0301":1}"#, "{\"e\u{301}\":1}"),
    ])
    func `A valid text is parsed to its value`(_ text: String, written: String) throws {
        var json = JSONWriter()
        json.value(try JSONValue.parse(text.bytes))
        #expect(json.bytes == written.bytes, "\(json.bytes.text)")
    }

    @Test(arguments: [
        "", " ", "\u{FEFF}1", "nul", "nulll", "True", "NaN", "Infinity", "-Infinity", "undefined",
        "1 2", "1,", ",1", "'a'", "{} {}", "[1]]",
        // Structure.
        "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1;2]", "]",
        "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,", "{\"a\":1,}", "{,}", "{a:1}", "{1:1}",
        "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{\"a\"::1}", "{null:1}", "}", "[}", "{]",
        "// comment\n1", "/* */1", "1#",
        // Numbers.
        "-", "+1", "01", "-01", "00", "1.", ".5", "-.5", "1.e5", "1e", "1e+", "1e-", "1E", "0x10",
        "1_000", "1.2.3", "1e5.5", "--1", "1-", "0e", "١", "1f",
        // Strings.
        "\"", "\"a", "\"\\", "\"\\\"", #""\x41""#, #""\u""#, #""\u1""#, #""\u12""#, #""\u123""#,
        #""\u123g""#, #""\u 123""#, #""\u+123""#, #""\U0041""#, #""\'""#, #""\0""#, "\"\\\n\"",
        "\"a\nb\"", "\"\t\"", "\"\u{0}\"", "\"\u{1F}\"", "\"\\n\u{1}\"",
        // Surrogates without their other half.
        #""\ud83d""#, #""\ude00""#, #""\ud83d\u0041""#, #""\ud83dx""#, #""\ud83d\ud83d""#,
        #""\ude00\ud83d""#, #""\ud83d\n""#, #""\ud83d\u12""#,
        "\u{0}", "1\u{0}", "\u{A0}1", "[1\u{B}]",
    ])
    func `An invalid text is refused`(_ text: String) {
        #expect(throws: JSONError.self) { try JSONValue.parse(text.bytes) }
    }

    @Test(
        arguments: [
            [0xFF], [0x80], [0xC0, 0x80], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x9B],
            // A surrogate, an overlong form, something beyond Unicode.
            [0xED, 0xA0, 0x80], [0xE0, 0x80, 0xAF], [0xF4, 0x90, 0x80, 0x80],
            [0xF8, 0x88, 0x80, 0x80],
        ] as [[UInt8]])
    func `Invalid UTF-8 is refused, with and without escapes`(_ bytes: [UInt8]) {
        for before in ["\"a", "\"\\n"] {
            #expect(throws: JSONError.self) {
                try JSONValue.parse(before.bytes + bytes + "\"".bytes)
            }
        }
        #expect(throws: JSONError.self) { try JSONValue.parse(bytes) }
    }

    @Test(arguments: [
        ("", 0, "the text ends too early"),
        ("[1,2", 4, "']' is missing"),
        ("{\"a\":tru}", 5, "not a JSON value"),
        ("{\"a\":1} x", 8, "text after the value"),
        ("[\"a\u{1}\"]", 3, "a control character in a string"),
    ])
    func `An error states reason and position but not the text`(
        _ text: String, offset: Int, reason: String
    ) {
        let error = #expect(throws: JSONError.self) { try JSONValue.parse(text.bytes) }
        #expect(error?.offset == offset)
        #expect(error?.reason == reason)
    }

    @Test func `A noncharacter code point is valid in a string`() throws {
        var json = JSONWriter()
        json.value(try JSONValue.parse(#""\uffff""#.bytes))
        #expect(json.bytes == [0x22, 0xEF, 0xBF, 0xBF, 0x22])
    }

    @Test func `Nesting is limited to thirty-two levels`() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
            (String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth))
                .bytes
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            _ = try JSONValue.parse(nested(32, open, close))
            #expect(throws: JSONError.self) { try JSONValue.parse(nested(33, open, close)) }
            #expect(throws: JSONError.self) { try JSONValue.parse(nested(60_000, open, close)) }
        }
        #expect(throws: JSONError.self) {
            try JSONValue.parse(String(repeating: "[", count: 65_536).bytes)
        }
        // The number of siblings is not limited.
        _ = try JSONValue.parse(("[" + String(repeating: "[],", count: 10_000) + "[]]").bytes)
    }

    @Test func `The last of two members with the same name counts`() throws {
        let value = try JSONValue.parse(#"{"a":1,"b":2,"a":3}"#.bytes)
        #expect(value["a"] == .number(3))
        #expect(value["b"] == .number(2))
        #expect(value["c"] == nil)
        #expect(JSONValue.array([value])["a"] == nil)
    }
}
