import JSON
import Testing

/// Combining marks in a row have a bound (UAX #15, 13): Swift sorts them with each comparison, in a
/// time that grows with the square of their number.
struct StreamSafeTests {
    /// Of the smallest and the largest class; three letters of class 0 that decompose to marks; beyond
    /// the Basic Multilingual Plane.
    @Test(arguments: [
        "\u{334}", "\u{345}", "\u{301}", "\u{F73}", "\u{F75}", "\u{F81}", "\u{1D165}",
    ])
    func `Thirty marks in a row are read, thirty-one are not`(_ mark: String) throws {
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

    @Test func `Escapes are no way around it`() throws {
        let mark = #"\u0301"#
        _ = try JSONValue.parse("\"\(String(repeating: mark, count: 30))\"".bytes)
        #expect(throws: JSONError.self) {
            try JSONValue.parse("\"\(String(repeating: mark, count: 31))\"".bytes)
        }
    }

    @Test func `Any number of letters may have marks, and any text that Kith wrote`() throws {
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
        // What joins and selects is no mark.
        (String(repeating: "\u{200D}\u{FE0F}", count: 40), true),
    ])
    func `Text is safe, or is not`(_ text: String, _ isSafe: Bool) {
        #expect(text.isStreamSafe == isSafe)
    }

    /// The Kelvin sign is equal to a K, and is another name all the same.
    @Test func `A member has its name byte by byte`() throws {
        let value = try JSONValue.parse("{\"K\":1,\"\u{212A}\":2}".bytes)
        #expect(value["K"] == .number(1))
        #expect(try JSONValue.parse("{\"\u{212A}\":2}".bytes)["K"] == nil)
    }
}
