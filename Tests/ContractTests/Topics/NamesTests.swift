import Contract
import Testing
import Tracking

struct NamesTests {
    @Test(arguments: [
        "an", "ann", "a0", "0a", "00", "a-", "a_", "a-_b", "ann_marie-2",
        "abcdefghijklmnopqrstuvwxyz012345", "12345678901234567890123456789012",
    ])
    func `A name is two to thirty-two lower-case letters, digits, - and _`(_ text: String) {
        #expect(Name(text)?.text == text)
        #expect(Name(text)?.description == text)
    }

    @Test(arguments: [
        "", "a", "-a", "_a", "Ann", "aNn", "ann ", " ann", "an n", "ann.b", "ann/b", "ann+b",
        "ann#", "+", "#", "/", "a\u{0}", "\u{0}\u{0}", "ann\n", "añn", "ann\u{301}", "аnn", "１２",
        "abcdefghijklmnopqrstuvwxyz0123456", "@ann", "ann@b", "$sys", "a\u{7F}", "a\u{200B}b",
        "ann:b", "ann%", "a'b",
    ])
    func `An invalid name is rejected`(_ text: String) {
        #expect(Name(text) == nil)
        #expect(Name(text[...]) == nil)
    }

    @Test func `Names sort by their bytes`() throws {
        let names = ["b0", "a-", "aa", "a0", "a_"].compactMap { Name($0) }
        #expect(names.sorted().map(\.text) == ["a-", "a0", "a_", "aa", "b0"])
    }

    @Test(arguments: ["AAAAAAAAAAAAAAAAAAAAAA", "azAZ09-_azAZ09-_azAZ09"])
    func `A group key is twenty-two base64url characters`(_ text: String) {
        #expect(GroupKey(text)?.text == text)
    }

    @Test(arguments: [
        "", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAA+",
        "AAAAAAAAAAAAAAAAAAAAA/", "AAAAAAAAAAAAAAAAAAAA==", "AAAAAAAAAAAAAAAAAAAAA#",
        "AAAAAAAAAAAAAAAAAAAAA ", "AAAAAAAAAAAAAAAAAAAAA\u{0}", "AAAAAAAAAAAAAAAAAAAAÄ",
    ])
    func `An invalid key is rejected`(_ text: String) {
        #expect(GroupKey(text) == nil)
    }

    @Test func `Generated keys are valid and use all characters`() {
        var random = SplitMix64(seed: 1)
        let keys = (0..<1000).map { _ in GroupKey(using: &random) }
        #expect(keys.allSatisfy { GroupKey($0.text) == $0 })
        #expect(Set(keys).count == 1000)
        #expect(Set(keys.flatMap(\.text)).count == 64)
    }

    /// On a command line, a key that begins with a hyphen would be an option.
    @Test func `Generated keys begin with a letter or a digit`() {
        var random = SplitMix64(seed: 1)
        let first = Set((0..<10_000).compactMap { _ in GroupKey(using: &random).text.first })
        #expect(first.count == 62)
        #expect(first.isDisjoint(with: "-_"))
    }
}
