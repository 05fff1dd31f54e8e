import Testing
import Tracking

@testable import Contract

/// Time-based codes, and what people type.
struct TimeCodeTests {
    private static let secret = Array("12345678901234567890".utf8)

    /// RFC 6238, appendix B: seconds since 1970, and the code with eight digits (SHA-1).
    @Test(arguments: [
        (59, "94287082"), (1_111_111_109, "07081804"), (1_111_111_111, "14050471"),
        (1_234_567_890, "89005924"), (2_000_000_000, "69279037"), (20_000_000_000, "65353130"),
    ])
    func `Time codes match RFC 6238`(_ seconds: Int64, _ code: String) {
        let step = TimeCode.step(at: Timestamp(milliseconds: seconds * 1000))
        #expect(TimeCode.code(TimeCodeTests.secret, step: step, digits: 8) == code)
        // Six digits are the last of eight.
        #expect(TimeCode.code(TimeCodeTests.secret, step: step) == code.suffix(6))
    }

    /// RFC 4226, appendix D: by counter.
    @Test func `Counter codes match RFC 4226`() {
        let codes = (0..<10).map { TimeCode.code(TimeCodeTests.secret, step: $0) }
        #expect(
            codes == [
                "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583",
                "399871", "520489",
            ])
    }

    /// RFC 4648, section 10, without padding.
    @Test(arguments: [
        ("", ""), ("f", "MY"), ("fo", "MZXQ"), ("foo", "MZXW6"), ("foob", "MZXW6YQ"),
        ("fooba", "MZXW6YTB"), ("foobar", "MZXW6YTBOI"),
    ])
    func `A secret is written in base32`(_ bytes: String, _ text: String) {
        #expect(TimeCode.text(of: Array(bytes.utf8)) == text)
    }

    @Test func `The otpauth address has all that an authenticator app needs`() {
        var random = SystemRandomNumberGenerator()
        let secret = TimeCode.secret(using: &random)
        #expect(secret.count == 20)
        #expect(
            TimeCode.address(TimeCodeTests.secret, of: "ann")
                == "otpauth://totp/Kith:ann?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Kith")
    }

    @Test func `A code is valid for its step and the adjacent ones, and only once`() {
        let (secret, now) = (TimeCodeTests.secret, Timestamp(milliseconds: 100 * 30_000 + 5))
        func step(_ code: Int64, after used: Int64 = 0) -> Int64? {
            TimeCode.step(of: TimeCode.code(secret, step: code), secret, at: now, after: used)
        }
        #expect([98, 99, 100, 101, 102].map { step($0) } == [nil, 99, 100, 101, nil])
        #expect([99, 100, 101].map { step($0, after: 100) } == [nil, nil, 101])
        #expect(TimeCode.step(of: "", secret, at: now, after: 0) == nil)
        // At the very beginning there is no step before.
        let first = Timestamp(milliseconds: 0)
        let code = TimeCode.code(secret, step: 1)
        #expect(TimeCode.step(of: code, secret, at: first, after: 0) == 1)
        // Nor before it.
        let before = Timestamp(milliseconds: -3_600_000)
        #expect(TimeCode.step(of: code, secret, at: before, after: 0) == 1)
    }

    @Test(arguments: ["", "12345", "1234567", "12a456", "ABCD-EFGH", "１２３４５６", "ABCD1EFGHIJKLMN0"])
    func `Text that cannot be a code is rejected`(_ text: String) {
        #expect(SecondFactorCode(text) == nil)
    }

    @Test func `A recovery code is accepted however it is typed`() throws {
        var random = SystemRandomNumberGenerator()
        let code = RecoveryCode(using: &random)
        #expect(code.text.count == 19)
        for typed in [code.text, code.text.lowercased(), code.text.replacing("-", with: " ")] {
            #expect(SecondFactorCode(typed)?.kind == .recovery(code))
        }
        #expect(SecondFactorCode("123 456")?.kind == .time("123456"))
        #expect(RecoveryCode(using: &random) != code)
    }

    @Test func `Links and codes do not reveal their value in a log`() throws {
        var random = SystemRandomNumberGenerator()
        let link = AccountLink(.password, using: &random)
        #expect("\(link)" == "a link")
        let code = try #require(SecondFactorCode("123456"))
        #expect("\(code)" == "a code")
        #expect(link.address(on: "https://x.org") == "https://x.org/#/recover/\(link.token)")
        #expect(link.token.utf8.count == 43)
    }
}
