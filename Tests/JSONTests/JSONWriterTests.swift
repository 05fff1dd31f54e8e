import Foundation
import JSON
import Testing
import Tracking

struct JSONWriterTests {
    private func written(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter()
        body(&json)
        return json.bytes.text
    }

    @Test func `Members and elements are written in order, with commas between`() {
        let text = JSONWriter.object { json in
            json.key("a")
            json.array([1, 2, 3]) { $0.number($1) }
            json.key("b")
            json.object { _ in }
            json.key("c")
            json.array { json in
                json.array { _ in }
                json.null()
                json.bool(true)
                json.bool(false)
                json.raw(#"{"x":1}"#.bytes)
                json.string("s")
            }
            json.key("d")
            json.raw("[]".bytes)
            json.key("e")
            json.number(1)
        }
        #expect(
            text.text
                == #"{"a":[1,2,3],"b":{},"c":[[],null,true,false,{"x":1},"s"],"d":[],"e":1}"#)
    }

    @Test(arguments: [
        ("", ""), ("Größe 東京 🛰", "Größe 東京 🛰"), (#"a"b\c/d"#, #"a\"b\\c/d"#),
        (
            "\u{0}\u{1}\u{8}\t\n\u{B}\u{C}\r\u{1F}",
            #"\u0000\u0001\u0008\u0009\u000a\u000b\u000c\u000d\u001f"#
        ),
        ("\r\n", #"\u000d\u000a"#), ("\u{7F}\u{2028}", "\u{7F}\u{2028}"),
        ("\"\u{301}\\\u{301}", "\\\"\u{301}\\\\\u{301}"),
        ("</script>", "</script>"),
    ])
    func `A string is escaped only where required`(_ text: String, _ expected: String) {
        #expect(written { $0.string(text) } == "\"\(expected)\"")
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "0"), (1, "1"), (-1, "-1"), (0.1, "0.1"), (-12.5, "-12.5"),
        (1e14, "100000000000000"), (-999_999_999_999_999, "-999999999999999"),
        (1e15, "1000000000000000"), (0x1p53 - 1, "9007199254740991"), (1e16, "1e+16"),
        (1e22, "1e+22"), (1e300, "1e+300"),
        (.leastNonzeroMagnitude, "5e-324"), (1e-7, "1e-07"),
        (0.3333333333333333, "0.3333333333333333"),
        (.greatestFiniteMagnitude, "1.7976931348623157e+308"), (65.5, "65.5"),
    ])
    func `A written number is read back unchanged`(_ value: Double, _ expected: String) throws {
        let text = written { $0.number(value) }
        #expect(text == expected)
        #expect(try JSONValue.parse(text.bytes) == .number(value))
    }

    @Test(
        arguments: [
            (0, "0"), (7, "7"), (-7, "-7"), (1_777_629_600_000, "1777629600000"),
            (.max, "9223372036854775807"), (.min, "-9223372036854775808"),
        ] as [(Int64, String)])
    func `An integer is written without fraction or exponent`(_ value: Int64, _ expected: String) {
        #expect(written { $0.number(value) } == expected)
    }

    @Test(
        arguments: [
            (0, "0"), (1, "0.0000001"), (-1, "-0.0000001"), (10, "0.000001"), (-10, "-0.000001"),
            (10_000_000, "1"), (-10_000_000, "-1"), (460_569_000, "46.0569"),
            (-145_058_001, "-14.5058001"), (1_799_999_999, "179.9999999"), (5_000_000, "0.5"),
            (-5_000_000, "-0.5"), (900_000_000, "90"), (-1_800_000_000, "-180"),
            (123_000_456, "12.3000456"), (Int32.min, "-214.7483648"), (Int32.max, "214.7483647"),
        ] as [(Int32, String)])
    func `Units of 10⁻⁷ have up to seven decimals`(_ e7: Int32, _ expected: String) {
        #expect(written { $0.number(e7: e7) } == expected)
    }

    @Test(arguments: seeds)
    func `Written units of 10⁻⁷ are read back and written identically`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<200 {
            let e7 = Int32.random(in: -1_800_000_000...1_800_000_000, using: &random)
            let text = written { $0.number(e7: e7) }
            let number = try #require(Double(text))
            #expect(Int32((number * 1e7).rounded()) == e7)
        }
    }

    /// Every other reader has to understand it.
    @Test(arguments: seeds)
    func `Foundation reads every written string`(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<50 {
            var scalars = String.UnicodeScalarView()
            for _ in 0..<20 {
                let limit: UInt32 = Bool.random(using: &random) ? 0x80 : 0xD800
                if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &random)) {
                    scalars.append(scalar)
                }
            }
            let text = String(scalars)
            let json = written { json in json.array { $0.string(text) } }
            let theirs = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String]
            #expect(theirs.map { Array($0[0].utf8) } == Array(text.utf8))
        }
    }
}
