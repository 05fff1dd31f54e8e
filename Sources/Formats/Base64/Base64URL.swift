public import Foundation

/// RFC 4648, section 5: written without padding, read with or without it.
public enum Base64URL {
    public static func encode(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Returns: nil if the text contains anything else, or leftover bits that are not zero.
    public static func decode(_ text: String) -> [UInt8]? {
        let bare = text.prefix { $0 != "=" }
        let padding = text.utf8.count - bare.utf8.count
        let missing = (4 - bare.utf8.count % 4) % 4
        guard text.dropFirst(bare.count).allSatisfy({ $0 == "=" }),
            padding == 0 || padding == missing,
            bare.utf8.allSatisfy(Base64URL.isDigit)
        else { return nil }
        let standard = bare.replacing("-", with: "+").replacing("_", with: "/")
        guard
            let data = Data(base64Encoded: standard + String(repeating: "=", count: missing)),
            // Bits left over at the end are zero.
            encode(data) == bare
        else { return nil }
        return Array(data)
    }

    public static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
