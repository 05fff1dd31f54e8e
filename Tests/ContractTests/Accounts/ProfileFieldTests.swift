import Contract
import Foundation
import Testing
import Tracking

struct ProfileFieldTests {
    @Test(arguments: [
        ("+386 1 234 567", "+3861234567"), ("+1 (650) 555-0100", "+16505550100"),
        ("+49.30.1234", "+49301234"), ("+1234", "+1234"), ("+123456789012345", "+123456789012345"),
    ])
    func `A phone number is stored in dialable form`(_ text: String, _ number: String) {
        #expect(PhoneNumber(text)?.text == number)
    }

    @Test(arguments: [
        "", "+", "112", "+123", "+1234567890123456", "0041 44 123 45 67", "+41 44 CALL ME",
        "+٣٨٦١٢٣٤٥٦", "++38612345", "+386+12345", "tel:+38612345", "+386;12345",
        "+" + String(repeating: " ", count: 100) + "38612345",
    ])
    func `An invalid phone number is rejected`(_ text: String) { #expect(PhoneNumber(text) == nil) }

    @Test func `A phone number is shown during an SOS or always`() {
        var profile = Profile(phone: PhoneNumber("+3861234567"))
        #expect(profile.phone(in: .sos) != nil)
        #expect(profile.phone(in: .routing) == nil)
        #expect(profile.phone(in: .inactive(lastKnown: nil)) == nil)
        profile.phoneShownTo = .groups
        #expect(profile.phone(in: .inactive(lastKnown: nil)) != nil)
    }

    @Test func `A picture is encoded as a PNG of exactly its pixels`() throws {
        #expect(Avatar(pixels: [UInt8](repeating: 0, count: Avatar.size - 1)) == nil)
        #expect(Avatar(pixels: [UInt8](repeating: 0, count: Avatar.size + 1)) == nil)
        let pixels = (0..<Avatar.size).map { UInt8(truncatingIfNeeded: $0 * 7 + $0 / 192) }
        let avatar = try #require(Avatar(pixels: pixels))
        let png = avatar.png
        #expect(png.prefix(8) == [137, 80, 78, 71, 13, 10, 26, 10])
        #expect(Array(png[12..<16]) == Array("IHDR".utf8))
        // 64 × 64, eight bits, three colours; its checksum is zlib's.
        #expect(Array(png[16..<29]) == [0, 0, 0, 64, 0, 0, 0, 64, 8, 2, 0, 0, 0])
        #expect(Array(png[29..<33]) == [0x25, 0x0B, 0xE6, 0x89])
        // The rows follow the chunk, zlib and block headers uncompressed.
        let rows = png[48..<(48 + 64 * 193)]
        let found = stride(from: rows.startIndex, to: rows.endIndex, by: 193).flatMap {
            Array(rows[($0 + 1)..<($0 + 193)])
        }
        #expect(found == pixels)
        #expect(
            Array(png.suffix(12)) == [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82])
        #expect(avatar.digest != Avatar(pixels: pixels.reversed())?.digest)
    }
}
