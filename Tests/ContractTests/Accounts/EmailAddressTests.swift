import Contract
import Testing

/// The form of an address, and when two are equal.
struct EmailAddressTests {
    @Test(arguments: [
        "ann@example.org", "a@b", "ann+kith@example.org", "o'brien@x.org", "Ann@Example.ORG",
        "žena@primer.si", "x@[192.0.2.1]", "a.b.c@d-e.f",
    ])
    func `A valid address is kept unchanged`(_ text: String) throws {
        #expect(try EmailAddress(text).text == text)
    }

    @Test(arguments: [
        "", "@", "a@", "@b", "ab", "a@b@c", "a @b", "a@b ", "a@b\n", "a@b\u{0}", "a\t@b",
        "a@b\u{200B}", "a@b\u{2028}", "a@\u{202E}b", "\u{A0}@b",
    ])
    func `An invalid address is refused`(_ text: String) {
        #expect(throws: DisplayName.Reason.self) { try EmailAddress(text) }
    }

    @Test func `An address has a maximum length`() throws {
        let longest = String(repeating: "x", count: 252) + "@y"
        #expect(try EmailAddress(longest).text == longest)
        #expect(throws: DisplayName.Reason.self) { try EmailAddress("x" + longest) }
    }

    @Test(arguments: [
        ("Ann@Example.org", "ann@example.ORG", true), ("e\u{301}@x", "É@x", true),
        ("ann@example.org", "an@example.org", false), ("ann@x.org", "ann@x.org.", false),
    ])
    func `Addresses compare equal regardless of case and Unicode composition`(
        _ left: String, _ right: String, _ isSame: Bool
    ) {
        #expect((EmailAddress.folded(left) == EmailAddress.folded(right)) == isSame)
    }
}
