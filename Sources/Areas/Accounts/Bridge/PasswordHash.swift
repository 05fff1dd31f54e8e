package import Contract
import CryptoExtras
import Foundation

/// A password as it is stored: scrypt (RFC 7914) with its parameters, salt and result, written as
/// `$scrypt$ln=15,r=8,p=3$salt$hash` (the PHC string format).
public struct PasswordHash: Hashable, Sendable {
    /// The cost of trying one password. OWASP considers these equally good: N = 2^17 with p = 1,
    /// 2^16 with 2, 2^15 with 3.
    struct Cost: Hashable, Sendable {
        /// N = 2^ln.
        var ln: Int
        var r = 8
        var p = 3

        /// 1 GiB: a hash that needs more was read from a damaged database.
        static let maximumMemory = 1 << 30
        static let lnRange = 10...20

        /// Whether its time and memory are within bounds.
        var isBearable: Bool {
            Cost.lnRange.contains(ln) && (1...16).contains(r) && (1...4).contains(p)
                && (128 * r) << ln <= Cost.maximumMemory
        }
    }

    let cost: Cost
    let salt: [UInt8]
    let hash: [UInt8]

    static let saltLength = 16
    static let hashLength = 32

    /// - Throws: if this machine cannot compute a hash with these parameters.
    init(_ password: Password, salt: [UInt8], _ cost: Cost) throws {
        self.cost = cost
        self.salt = salt
        hash = try PasswordHash.derive(password, salt, cost, length: PasswordHash.hashLength)
    }

    /// A hash that no password matches.
    init(ofNobody cost: Cost) {
        self.cost = cost
        salt = [UInt8](repeating: 0, count: PasswordHash.saltLength)
        hash = [UInt8](repeating: 0, count: PasswordHash.hashLength)
    }

    static func salt(using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<saltLength).map { _ in UInt8(truncatingIfNeeded: random.next() >> 56) }
    }

    /// - Throws: if the password cannot be checked.
    package func matches(_ password: Password) throws -> Bool {
        areEqual(try PasswordHash.derive(password, salt, cost, length: hash.count), hash)
    }

    private static func derive(_ password: Password, _ salt: [UInt8], _ cost: Cost, length: Int)
        throws -> [UInt8]
    {
        let key = try KDF.Scrypt.deriveKey(
            from: password.bytes, salt: salt, outputByteCount: length, rounds: 1 << cost.ln,
            blockSize: cost.r, parallelism: cost.p)
        return key.withUnsafeBytes { Array($0) }
    }

    // MARK: As text

    /// Nil if the text is damaged or its cost too high.
    package init?(_ text: String) {
        let parts = text.split(separator: "$", omittingEmptySubsequences: false)
        guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt",
            let match = parts[2].wholeMatch(of: /ln=([0-9]{1,2}),r=([0-9]{1,2}),p=([0-9]{1,2})/),
            let ln = Int(match.1), let r = Int(match.2), let p = Int(match.3),
            let salt = PasswordHash.bytes(parts[3]), (8...64).contains(salt.count),
            let hash = PasswordHash.bytes(parts[4]), (16...64).contains(hash.count)
        else { return nil }
        cost = Cost(ln: ln, r: r, p: p)
        self.salt = salt
        self.hash = hash
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
