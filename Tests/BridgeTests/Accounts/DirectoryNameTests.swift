import Contract
import Testing
import Tracking

@testable import Bridge

/// Conversion of an organisation's user names to Kith names.
struct DirectoryNameTests {
    @Test(arguments: [
        ("anna", "anna"), ("Anna", "anna"), ("anna.lake", "anna-lake"), ("anna_lake", "anna_lake"),
        ("Anna.Müller@uni", "anna-mueller"), ("a.müller", "a-mueller"),
        // The same in decomposed form.
        ("anna.mu\u{308}ller", "anna-mueller"), ("Straße", "strasse"), ("Čapek", "capek"),
        ("Łukasz", "lukasz"), ("Þór", "thor"), ("ＡＮＮＡ", "anna"), ("ﬁna", "fina"), ("İnci", "inci"),
        ("  anna  lake ", "anna-lake"), ("--anna--", "anna"), ("__anna", "anna"),
        ("anna--lake", "anna-lake"),
        ("an\u{200B}na", "anna"), ("an\u{AD}na", "anna"), ("@uni", "uni"), ("Анна", ""), ("", ""),
        ("..", ""), ("u1234567", "u1234567"), ("DOMAIN\\anna", "domain-anna"), ("x²", "x2"),
    ])
    func `Directory names are converted to Kith's characters`(_ user: String, _ name: String) {
        #expect(DirectoryName.plain(user) == name)
        // Conversion is idempotent: a Kith name stays as it is.
        #expect(DirectoryName.plain(name) == name)
    }

    private func names(_ user: String, entry: String = "entryuuid=7", _ count: Int = 3) -> [String]
    {
        DirectoryName.candidates(for: user, entry: entry).prefix(count).map(\.text)
    }

    @Test func `Later entries with the same name get a number`() {
        #expect(names("Anna.Müller@uni") == ["anna-mueller", "anna-mueller-2", "anna-mueller-3"])
        let long = String(repeating: "a", count: 40)
        #expect(
            names(long) == [
                String(repeating: "a", count: 32), String(repeating: "a", count: 30) + "-2",
                String(repeating: "a", count: 30) + "-3",
            ])
    }

    @Test func `An unusable name is replaced by a stable one derived from the entry`() {
        #expect(names("Анна", 1) == names("Анна", 1))
        #expect(names("Анна", 1).first?.wholeMatch(of: /user-[0-9a-f]{8}/) != nil)
        #expect(names("Анна", 1) == names("Вера", 1))
        #expect(names("Анна", entry: "entryuuid=8", 1) != names("Анна", 1))
        #expect(names("x", 1).first?.wholeMatch(of: /user-x-[0-9a-f]{8}/) != nil)
    }

    /// Every candidate is a valid name, whatever the directory contains.
    @Test(arguments: [
        "-", "a", "😀😀", "a😀b", "'; DROP TABLE users", "../..", "#", "+", "kith:bridge",
        "\u{202E}anna",
    ])
    func `Any directory name yields 999 distinct candidates`(_ user: String) {
        #expect(names(user, 999).count == 999)
        #expect(Set(names(user, 999)).count == 999)
    }

    /// Text that users may type and directories may contain, by a seed.
    @Test(arguments: 1...20) func `Random input yields valid names`(_ seed: Int) {
        var random = SplitMix64(seed: UInt64(seed))
        let ranges: [ClosedRange<UInt32>] = [
            0x20...0x7E, 0xA0...0x24F, 0x300...0x36F, 0x400...0x4FF, 0x1E00...0x1EFF,
            0x2000...0x206F, 0x4E00...0x4E40, 0xFB00...0xFB06, 0xFF00...0xFF5E, 0x1F600...0x1F640,
        ]
        for _ in 0..<200 {
            let scalars = (0..<Int.random(in: 1...40, using: &random)).compactMap { _ in
                Unicode.Scalar(
                    UInt32.random(
                        in: ranges.randomElement(using: &random) ?? 0x20...0x7E, using: &random))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let plain = DirectoryName.plain(text)
            #expect(
                plain.utf8.allSatisfy {
                    "abcdefghijklmnopqrstuvwxyz0123456789_-".utf8.contains($0)
                },
                "\(text)")
            #expect(DirectoryName.plain(plain) == plain, "\(text)")
            #expect(names(text, 2).count == 2, "\(text)")
            // The key ignores case and decomposition.
            #expect(DirectoryName.key(text) == DirectoryName.key(text.lowercased()), "\(text)")
        }
    }

    /// Otherwise a directory that treats them as one name would allow more attempts.
    @Test func `Attempts at one name in many spellings are counted together`() {
        let spellings = [
            "anna.müller", "ANNA.MÜLLER", "anna.mueller", "anna.muller", "anna.mu\u{308}ller",
            "ánná.müller", "anna  müller", "anna.müller@uni", "anna.müller@elsewhere",
        ]
        #expect(Set(spellings.map { DirectoryName.key($0) }) == ["anna-muller"])
    }

    @Test(arguments: [
        ("anna", true), ("Anna.Müller@uni", true), ("anna lake", true), ("", false),
        (" anna", false),
        ("anna ", false), ("an\u{200B}na", false), ("an\u{AD}na", false), ("an\0na", false),
        ("anna\n", false), ("a\u{202E}b", false), ("a\u{E000}b", false), ("a\u{FE0F}b", false),
    ])
    func `Unsafe names are not sent to the directory`(_ user: String, _ isSent: Bool) throws {
        let password = try #require(Password("x"))
        #expect((DirectoryPassword(user, password) != nil) == isSent)
    }
}
