import Foundation
import JSON
import Testing
import Tracking

struct JSONNumberTests {
    private func number(_ text: String) throws -> Double {
        guard case .number(let number) = try JSONValue.parse(text.bytes) else {
            throw NotANumber()
        }
        return number
    }

    @Test(arguments: [
        ("0", 0.0), ("-0", -0.0), ("-0.0", -0.0), ("-0e5", -0.0), ("1", 1), ("-1", -1),
        ("46.0569", 46.0569), ("14.5058", 14.5058), ("0.1", 0.1), ("1.10", 1.1), ("1e0", 1),
        ("1E2", 100), ("1e+2", 100), ("1e-2", 0.01), ("1.5e3", 1500), ("0.000001", 1e-6),
        ("0.00000000000000000000000000001", 1e-29), ("100000000000000000000000", 1e23),
        ("0e99999999999999999999", 0), ("0.0e-99999999999999999999", 0),
        // Around the range of a double.
        ("1.7976931348623157e308", .greatestFiniteMagnitude), ("1.8e308", .infinity),
        ("1e400", .infinity), ("-1e400", -.infinity), ("1e99999999999999999999", .infinity),
        ("4.9e-324", .leastNonzeroMagnitude), ("5e-324", .leastNonzeroMagnitude), ("2e-324", 0),
        ("1e-400", 0),
        ("1e-99999999999999999999", 0), ("2.2250738585072014e-308", .leastNormalMagnitude),
        // Exponents that do not fit into 64 bits, and would be 1 and 0 if truncated.
        ("1e18446744073709551617", .infinity), ("1e-18446744073709551617", 0),
        ("1e18446744073709551616", .infinity), ("0e18446744073709551617", 0),
        ("1e00000000000000000000000001", 10), ("1e-00000000000000000000000001", 0.1),
        // Nineteen digits and more.
        ("9007199254740991", 9_007_199_254_740_991), ("9007199254740992", 9_007_199_254_740_992),
        ("9007199254740993", 9_007_199_254_740_992), ("9223372036854775807", 0x1p63),
        ("18446744073709551615", 0x1p64), ("18446744073709551616", 0x1p64),
        ("99999999999999999999", 1e20), ("12345678901234567890", 12_345_678_901_234_567_168),
        ("1.00000000000000000000000000000000001", 1),
        ("123456789012345678901234567890", 1.2345678901234568e29),
        // Halfway cases that a naive reading gets wrong.
        ("9007199254740993.0", 9_007_199_254_740_992),
        ("1.00000000000000011102230246251565404236316680908203125", 1),
        ("1.00000000000000011102230246251565404236316680908203126", 1.0000000000000002),
        ("8.5e22", 8.5e22), ("1e22", 1e22), ("1e23", 1e23), ("123e-22", 1.23e-20),
        ("0.3e1", 3), ("179769313486231580793e289", .infinity),
    ])
    func `A number is parsed to the nearest double`(_ text: String, _ expected: Double) throws {
        let value = try number(text)
        #expect(value.bitPattern == expected.bitPattern, "\(value)")
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("7.0", 7), ("7e2", 700), ("70e-1", 7), ("-7", -7),
        ("9007199254740992", 9_007_199_254_740_992),
        ("-9007199254740992", -9_007_199_254_740_992),
        ("7.5", nil), ("9007199254740994", nil), ("1e300", nil), ("1e400", nil),
        ("\"7\"", nil), ("null", nil), ("[7]", nil), ("true", nil),
    ])
    func `A whole number must be exact as a double`(_ text: String, _ expected: Int64?) throws {
        #expect(try JSONValue.parse(text.bytes).integer == expected)
    }

    @Test(arguments: seeds)
    func `Foundation reads the same number`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            let text = Self.number(&random)
            // Foundation rejects `0e6`.
            guard
                text.prefix(while: { $0 != "e" && $0 != "E" }).contains(where: { "1"..."9" ~= $0 })
            else { continue }
            // Not JSONSerialization's: that goes through decimals and rounds twice.
            let theirs = try JSONDecoder().decode([Double].self, from: Data("[\(text)]".utf8))
            #expect(try number(text).bitPattern == theirs[0].bitPattern, "\(text)")
        }
    }

    @Test(arguments: seeds)
    func `A written number is read back to the last bit`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let value = Double(bitPattern: random.next())
            guard value.isFinite else { continue }
            var json = JSONWriter()
            json.number(value)
            #expect(try number(json.bytes.text) == value)
        }
    }

    /// Any number within the range of a double.
    private static func number(_ random: inout SplitMix64) -> String {
        func digits(_ count: ClosedRange<Int>) -> String {
            String(
                (0..<Int.random(in: count, using: &random)).map { _ in
                    Character("\(Int.random(in: 0...9, using: &random))")
                })
        }
        var text = Bool.random(using: &random) ? "-" : ""
        text += Bool.random(using: &random) ? "0" : "\(Int.random(in: 1...9, using: &random))"
        if !text.hasSuffix("0") { text += digits(0...22) }
        if Bool.random(using: &random) { text += "." + digits(1...22) }
        if Bool.random(using: &random) {
            text += Bool.random(using: &random) ? "e" : "E"
            text += ["", "+", "-"].randomElement(using: &random) ?? ""
            text += "\(Int.random(in: 0...280, using: &random))"
        }
        return text
    }
}
