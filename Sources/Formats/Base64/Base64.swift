public import Foundation

/// The usual encoding (RFC 4648, section 4), padded.
public enum Base64 {
    public static func encode(_ bytes: some DataProtocol) -> String {
        Data(bytes).base64EncodedString()
    }

    /// - Returns: nil if the text contains anything else.
    public static func decode(_ text: String) -> [UInt8]? {
        Data(base64Encoded: text).map { Array($0) }
    }
}
