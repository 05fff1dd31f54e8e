import Testing

@testable import WebAuthn

struct CBORTests {
    private func read(_ text: String) -> CBOR? {
        do { return try CBOR(bytes(text)) } catch { return nil }
    }

    /// RFC 8949, appendix A.
    @Test func `Numbers, strings, arrays and maps match the standard's examples`() {
        #expect(read("00") == .unsigned(0))
        #expect(read("17") == .unsigned(23))
        #expect(read("1818") == .unsigned(24))
        #expect(read("1903e8") == .unsigned(1000))
        #expect(read("1bffffffffffffffff") == .unsigned(.max))
        #expect(read("20") == CBOR(-1))
        #expect(read("3903e7") == CBOR(-1000))
        #expect(read("3bffffffffffffffff") == .negative(.max))
        #expect(read("4401020304") == .bytes([1, 2, 3, 4]))
        #expect(read("6449455446") == .text("IETF"))
        #expect(read("80") == .array([]))
        #expect(
            read("8301820203820405")
                == .array([CBOR(1), .array([CBOR(2), CBOR(3)]), .array([CBOR(4), CBOR(5)])]))
        #expect(read("a201020304") == .map([CBOR(1): CBOR(2), CBOR(3): CBOR(4)]))
        #expect(read("f4") == .bool(false))
        #expect(read("f5") == .bool(true))
        #expect(read("f6") == .null)
    }

    @Test(arguments: [
        "", "18", "19 03", "1c", "1f", "41", "5f 41 00 ff", "61 ff", "7f ff", "82 01", "9f ff",
        "a1 01", "bf ff", "a2 01 02 01 03", "a1 41 00 00", "a1 80 00", "c0 00", "f7", "f8 20",
        "f9 00 00", "fb 00 00 00 00 00 00 00 00", "ff", "00 00",
        // Lengths beyond the data.
        "5b ff ff ff ff ff ff ff ff", "9b 7f ff ff ff ff ff ff ff", "bb 00 00 00 00 ff ff ff ff",
    ])
    func `Encodings that authenticators do not write are refused`(_ text: String) {
        #expect(read(text) == nil)
    }

    @Test func `Nesting that is too deep is refused before it is read`() {
        let depth = CBORReader.maximumDepth
        #expect(read(String(repeating: "81", count: depth) + "00") != nil)
        #expect(read(String(repeating: "81", count: depth + 1) + "00") == nil)
        #expect(read(String(repeating: "81", count: 100_000)) == nil)
        #expect(read(String(repeating: "a100", count: 100_000)) == nil)
    }
}
