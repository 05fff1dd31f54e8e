import JSON
import Testing

/// Combining marks in a row are limited (UAX #15, 13): Swift sorts them at each comparison, in
/// quadratic time.
struct StreamSafeTests {
    /// Marks of the smallest and the largest class; three letters of class 0 that decompose to
    /// marks; beyond the Basic Multilingual Plane.
    @Test(arguments: [
        "\u{334}", "\u{345}", "\u{301}", "\u{F73}", "\u{F75}", "\u{F81}", "\u{1D165}",
    ])
    func `A text may have thirty marks in a row but not thirty-one`(_ mark: String) throws {
        let marks = String(repeating: mark, count: 30)
        for (before, after) in [
            ("\"a", "\""), ("\"", "b\""), ("\"\\n", "\""), ("{\"", "\":1}"), ("[{\"a\\t", "\":1}]"),
        ] {
            _ = try JSONValue.parse((before + marks + after).bytes)
            let error = #expect(throws: JSONError.self) {
                try JSONValue.parse((before + marks + mark + after).bytes)
            }
            #expect(error?.reason == "more than 30 combining marks in a row")
        }
    }

    @Test func `Escapes do not bypass the limit`() throws {
        let mark = #"\u0301"#
        _ = try JSONValue.parse("\"\(String(repeating: mark, count: 30))\"".bytes)
        #expect(throws: JSONError.self) {
            try JSONValue.parse("\"\(String(repeating: mark, count: 31))\"".bytes)
        }
    }

    @Test func `The limit is per letter and does not apply to Kith's own text`() throws {
        let letters = String(repeating: "a\u{323}\u{302}", count: 1_000)
        _ = try JSONValue.parse("\"\(letters)東京👩🏽‍🚒\"".bytes)
        let stored = "{\"text\":\"a\(String(repeating: "\u{301}", count: 100))\"}"
        #expect(JSONValue(parsing: stored.bytes) == nil)
        let value = try JSONValue.parse(stored.bytes, isOurs: true)
        #expect(value["text"]?.text?.utf8.count == 201)
    }

    @Test(arguments: [
        ("", true), ("Ann", true), ("Žiga Čić", true), ("\u{301}", true),
        (String(repeating: "\u{301}", count: 30), true),
        (String(repeating: "\u{301}", count: 31), false),
        (String(repeating: "\u{301}", count: 30) + "a\u{301}", true),
        // Joiners and selectors are not marks.
        (String(repeating: "\u{200D}\u{FE0F}", count: 40), true),
    ])
    func `Text is safe with at most thirty marks in a row`(_ text: String, _ isSafe: Bool) {
        #expect(text.isStreamSafe == isSafe)
    }

    /// The Kelvin sign is equal to a K but is a different name.
    @Test func `Member names are compared byte by byte`() throws {
        let value = try JSONValue.parse("{\"K\":1,\"\u{212A}\":2}".bytes)
        #expect(value["K"] == .number(1))
        #expect(try JSONValue.parse("{\"\u{212A}\":2}".bytes)["K"] == nil)
    }
}
