internal import Crypto
public import Tracking

/// Time-based one-time passwords as authenticator apps generate them: TOTP (RFC 6238) with SHA-1,
/// six digits and steps of 30 s, which all of them support.
public enum TimeCode {
    /// The number of a step of 30 s since 1970.
    public typealias Step = Int64

    /// Bytes: 160 bits, as RFC 4226 recommends.
    public static let secretLength = 20
    /// Seconds.
    public static let period: Int64 = 30
    public static let digits = 6
    /// The number of steps before and after the current one that are accepted, for clocks that
    /// differ.
    public static let tolerance: Step = 1

    public static func secret(using random: inout some RandomNumberGenerator) -> [UInt8] {
        (0..<secretLength).map { _ in UInt8(truncatingIfNeeded: random.next() >> 56) }
    }

    public static func step(at now: Timestamp) -> Step { now.milliseconds / (1000 * period) }

    /// Returns the code of a step (RFC 4226, 5.3).
    public static func code(_ secret: [UInt8], step: Step, digits: Int = digits) -> String {
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: step >> (56 - 8 * $0)) }
        let mac = Array(
            HMAC<Insecure.SHA1>.authenticationCode(
                for: counter, using: SymmetricKey(data: secret)))
        let offset = Int(mac[mac.count - 1] & 15)
        let word = mac[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7fff_ffff
        let text = String(word % (0..<digits).reduce(1) { product, _ in product * 10 })
        return String(repeating: "0", count: digits - text.count) + text
    }

    /// Finds the step that the code belongs to.
    ///
    /// - Parameter used: the step of the last accepted code; codes of it and of earlier ones are
    ///   rejected.
    public static func step(
        of code: String, _ secret: [UInt8], at now: Timestamp, after used: Step
    ) -> Step? {
        let present = max(0, step(at: now))
        var found: Step?
        // Every step is compared, so that the timing reveals nothing.
        for step in max(0, present - tolerance)...present + tolerance {
            let isRight = areEqual(Array(self.code(secret, step: step).utf8), Array(code.utf8))
            if isRight, step > used { found = step }
        }
        return found
    }

    /// Returns base32 (RFC 4648, 6) without padding, as people type it into an app.
    public static func text(of secret: [UInt8]) -> String {
        var (text, bits, count) = ("", UInt32(0), 0)
        for byte in secret {
            (bits, count) = (bits << 8 | UInt32(byte), count + 8)
            while count >= 5 {
                count -= 5
                text.append(alphabet[Int(bits >> count & 31)])
            }
        }
        if count > 0 { text.append(alphabet[Int(bits << (5 - count) & 31)]) }
        return text
    }

    /// Returns the address by which apps import a secret:
    /// `otpauth://totp/Kith:ann?secret=…&issuer=Kith`.
    public static func address(_ secret: [UInt8], of user: Name) -> String {
        "otpauth://totp/Kith:\(user)?secret=\(text(of: secret))&issuer=Kith"
    }

    static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}

/// A code that logs its owner in once, if the authenticator app is lost: 80 random bits. Only its
/// hash is stored.
public struct RecoveryCode: Hashable, Sendable {
    /// Sixteen letters and digits, without dashes.
    private let letters: String

    /// The number of codes in a set.
    public static let count = 10
    private static let length = 16

    public init(using random: inout some RandomNumberGenerator) {
        letters = String(
            (0..<RecoveryCode.length).map { _ in TimeCode.alphabet[Int(random.next() >> 59)] })
    }

    /// Reads a code as typed: dashes, spaces and case make no difference. Nil for anything that
    /// cannot be such a code.
    public init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        letters = text.uppercased().filter { $0 != "-" && !$0.isWhitespace }
        guard letters.count == RecoveryCode.length,
            letters.allSatisfy({ TimeCode.alphabet.contains($0) })
        else { return nil }
    }

    /// The code in groups of four: `ABCD-EFGH-IJKL-MNOP`. For its owner only.
    public var text: String {
        let all = Array(letters)
        return stride(from: 0, to: all.count, by: 4).map { String(all[$0..<$0 + 4]) }
            .joined(separator: "-")
    }

    public var hash: [UInt8] { Array(SHA256.hash(data: Array(letters.utf8))) }
}

/// A second factor code as typed: the app's, or one of the recovery codes. Its description reveals
/// nothing.
public struct SecondFactorCode: Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case time(String)
        case recovery(RecoveryCode)
    }

    public let kind: Kind

    /// Nil for anything that cannot be a code.
    public init?(_ text: String) {
        let typed = text.filter { $0 != " " }
        if typed.utf8.count == TimeCode.digits, typed.utf8.allSatisfy({ $0 &- 48 < 10 }) {
            kind = .time(typed)
        } else if let code = RecoveryCode(text) {
            kind = .recovery(code)
        } else {
            return nil
        }
    }

    public var description: String { "a code" }
}

extension Kind where Value == SecondFactorCode {
    static let code = Kind.text(orRefuse: "must be six digits, or a recovery code") {
        SecondFactorCode($0)
    }
}
