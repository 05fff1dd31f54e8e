internal import Foundation

/// A password as it is stored: scrypt (RFC 7914) with its parameters, salt and result, written as
/// `$scrypt$ln=15,r=8,p=3$salt$hash` (the PHC string format).
public struct PasswordHash: Hashable, Sendable {
    /// The cost of trying one password. OWASP considers these equally good: N = 2^17 with p = 1,
    /// 2^16 with 2, 2^15 with 3.
    package struct Cost: Hashable, Sendable {
        /// N = 2^ln.
        package var ln: Int
        package var r: Int
        package var p: Int

        /// 1 GiB: a hash that needs more was read from a damaged database.
        static let maximumMemory = 1 << 30
        package static let lnRange = 10...20

        package init(ln: Int, r: Int = 8, p: Int = 3) { (self.ln, self.r, self.p) = (ln, r, p) }

        /// Whether its time and memory are within bounds.
        package var isBearable: Bool {
            Cost.lnRange.contains(ln) && (1...16).contains(r) && (1...4).contains(p)
                && (128 * r) << ln <= Cost.maximumMemory
        }
    }

    package let cost: Cost
    package let salt: [UInt8]
    package let hash: [UInt8]

    package init(_ cost: Cost, salt: [UInt8], hash: [UInt8]) {
        (self.cost, self.salt, self.hash) = (cost, salt, hash)
    }

    /// Nil if the text is damaged or its cost too high.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let match = parts[2].wholeMatch(of: /ln=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2})/),
            let ln = Int(match.1), let r = Int(match.2), let p = Int(match.3),
            let salt = PasswordHash.bytes(parts[3]), (8...64).contains(salt.count),
            let hash = PasswordHash.bytes(parts[4]), (16...64).contains(hash.count)
        else { return nil }
        self.init(Cost(ln: ln, r: r, p: p), salt: salt, hash: hash)
        guard cost.isBearable else { return nil }
    }

    package var text: String {
        "$scrypt$ln=\(cost.ln),r=\(cost.r),p=\(cost.p)"
            + "$\(PasswordHash.base64(salt))$\(PasswordHash.base64(hash))"
    }

    /// Returns base64 (RFC 4648, section 4) without padding, as the format requires.
    private static func base64(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("=", with: "")
    }

    private static func bytes(_ text: Substring) -> [UInt8]? {
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        return Data(base64Encoded: text + padding).map { Array($0) }
    }
}
