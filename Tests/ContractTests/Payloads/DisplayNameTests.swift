import JSON
import Testing

@testable import Contract

struct DisplayNameTests {
    private func reason(_ text: String) -> String {
        do {
            _ = try DisplayName(text)
            return "accepted"
        } catch {
            return error.text
        }
    }

    @Test(arguments: [
        ("Ann", "Ann"), ("  Ann\t\n", "Ann"), ("Ann  Lee", "Ann  Lee"), ("Žiga Čić", "Žiga Čić"),
        ("東京", "東京"), ("عائلة", "عائلة"), ("Ann & <Bob> \"x\" 'y'", "Ann & <Bob> \"x\" 'y'"),
        ("../../etc/+/#", "../../etc/+/#"), ("$SYS", "$SYS"),
        // Composed.
        ("e\u{301}te\u{301}", "été"), ("A\u{30A}", "Å"), ("\u{212B}", "Å"),
        ("\u{1112}\u{1161}\u{11AB}", "한"), ("&\u{301}", "&\u{301}"),
        // Emoji with joiners, skin tones and flags; the joiners that Persian needs.
        ("👨‍👩‍👧‍👦", "👨‍👩‍👧‍👦"), ("👩🏽‍🚒 Eva", "👩🏽‍🚒 Eva"), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"), ("❤️", "❤️"),
        ("می‌خواهم", "می‌خواهم"),
    ])
    func `A name is kept, composed and trimmed`(_ text: String, _ expected: String) throws {
        let name = try DisplayName(text)
        #expect(Array(name.text.unicodeScalars) == Array(expected.unicodeScalars))
        #expect(name.description == name.text)
    }

    @Test(arguments: [
        ("An\u{AD}na", "Anna"), ("M\u{200D}um", "Mum"), ("B\u{200C}en", "Ben"),
        ("Ann\u{2060}", "Ann"), ("Ann\u{FE0F}", "Ann"), ("\u{3164}Ann", "Ann"),
        ("Ann\u{E0061}", "Ann"),
    ])
    func `Invisible characters are removed from a name`(_ text: String, _ expected: String) throws {
        #expect(Array(try DisplayName(text).text.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(arguments: ["", " ", "\t\n ", "\u{A0}\u{2003}", "\u{3000}", "\u{2028}"])
    func `Whitespace alone is not a valid name`(_ text: String) {
        #expect(reason(text) == "must not be empty")
    }

    @Test(arguments: [
        "\u{2060}", "\u{200D}", "\u{200C}\u{200D}", "\u{AD}", "\u{FE0F}", "\u{3164}", "\u{115F}",
        " \u{2060} \u{200D}", "\u{E0020}",
    ])
    func `Invisible characters alone are not a valid name`(_ text: String) {
        #expect(reason(text) == "must not be empty")
    }

    @Test(arguments: [
        // Controls and line breaks.
        "a\u{0}b", "\u{0}", "a\nb", "a\r\nb", "a\u{1}b", "a\u{1B}[31m", "a\u{7F}", "a\u{85}b",
        "a\u{9F}", "a\u{2028}b", "a\u{2029}b",
        // Characters that reorder the text around them, or are invisible.
        "a\u{202E}b", "\u{202A}a", "a\u{202C}", "a\u{2066}b", "a\u{2069}", "a\u{200E}b",
        "a\u{200F}", "a\u{61C}b", "a\u{200B}b", "a\u{FEFF}b",
        // Code points that are not characters.
        "a\u{FFFE}", "a\u{E000}", "a\u{10FFFD}", "a\u{378}",
    ])
    func `Characters that corrupt the display are refused`(_ text: String) {
        #expect(reason(text) == "must not contain control characters")
    }

    @Test func `Noncharacter code points are refused`() throws {
        for value: UInt32 in [0xFFFE, 0xFFFF, 0xFDD0, 0xFDEF, 0x1_FFFF, 0x10_FFFF] {
            let scalar = try #require(Unicode.Scalar(value))
            #expect(reason("a" + String(scalar)) == "must not contain control characters")
        }
    }

    @Test(arguments: ["x", "é", "東", "e\u{301}", "👍"])
    func `A name has at most sixty-four characters`(_ character: String) throws {
        let longest = String(repeating: character, count: 64)
        #expect(try DisplayName(longest).text.count == 64)
        #expect(try DisplayName("  \(longest)  ").text.count == 64)
        #expect(reason(longest + character) == "must have at most 64 characters")
    }

    @Test func `Combining marks do not bypass the length limit`() {
        let stacked = "a" + String(repeating: "\u{301}", count: 1000)
        #expect(stacked.count == 1)
        #expect(reason(stacked) == "must have at most 64 characters")
    }

    /// Composing sorts them in quadratic time.
    @Test func `Combining marks in a row are limited, and overlong text is not composed`() throws {
        let marks = String(repeating: "\u{302}", count: 30)
        #expect(try DisplayName("x" + marks).text.utf8.count == 61)
        #expect(reason("x\u{302}" + marks) == "must not have so many combining marks in a row")
        // Two bytes for each of 64 letters, with the maximum number of marks.
        #expect(reason(String(repeating: "é" + marks, count: 64)) == tooLong)
        #expect(reason(String(repeating: "\u{302}", count: 769)) == tooLong)
    }

    private let tooLong = "must have at most 64 characters"

    @Test(arguments: [
        (#""  Ann ""#, "accepted"), ("5", "invalid: name must be a string"),
        ("null", "invalid: name is missing"), (#""""#, "invalid: name must not be empty"),
        (#""a\u0000""#, "invalid: name must not contain control characters"),
    ])
    func `A field error states what is wrong with the name`(_ value: String, _ expected: String)
        throws
    {
        let object = try JSONValue.parse("{\"name\":\(value)}".bytes)
        let outcome = refusal { () throws(Problem) in
            var fields = try Fields(object)
            _ = Form("name", .displayName).read(&fields, .init(now: .now, limits: FixLimits()))
            try fields.check()
        }
        #expect(outcome == expected)
    }
}
