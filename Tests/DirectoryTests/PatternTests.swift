import Testing

@testable import Directory

/// Typed text is a value in a name or a filter, never more.
struct PatternTests {
    /// Typed text, as a value in a name (RFC 4514) and in a filter (RFC 4515).
    @Test(arguments: [
        ("anna", "anna", "anna"), ("Anna.Lake@uni_1-x", "Anna.Lake@uni_1-x", "Anna.Lake@uni_1-x"),
        ("anna,ou=admins", #"anna\2cou\3dadmins"#, #"anna\2cou\3dadmins"#),
        ("*", #"\2a"#, #"\2a"#), ("a*)(uid=*", #"a\2a\29\28uid\3d\2a"#, #"a\2a\29\28uid\3d\2a"#),
        (#"a\2c"#, #"a\5c2c"#, #"a\5c2c"#), (" a ", #"\20a\20"#, " a "),
        ("#04026869", #"\2304026869"#, #"\2304026869"#), ("a+b", #"a\2bb"#, #"a\2bb"#),
        ("a\"b;c<d>e", #"a\22b\3bc\3cd\3ee"#, #"a\22b\3bc\3cd\3ee"#),
        ("a\0b", #"a\00b"#, #"a\00b"#), ("a\nb", #"a\0ab"#, #"a\0ab"#),
        ("Müller", "Müller", #"M\c3\bcller"#),
        ("{user}", #"\7buser\7d"#, #"\7buser\7d"#), ("", "", ""),
    ])
    func `Special characters are escaped as bytes`(
        _ typed: String, _ name: String, _ filter: String
    ) throws {
        let base = "ou=people,dc=example,dc=org"
        let bind = try #require(DirectoryPattern("uid={user},\(base)", .name))
        #expect(bind.with(typed) == "uid=\(name),\(base)")
        let search = try #require(DirectoryPattern("(&(uid={user})(active=yes))", .filter))
        #expect(search.with(typed) == "(&(uid=\(filter))(active=yes))")
        #expect(DirectoryText.isFilter(search.with(typed)))
    }

    /// libldap reads back a name with as many parts, the first of which is the typed text.
    @Test(arguments: [
        "a,b", "a+uid=b", "a=b,dc=x", "#00", "\\", "a\\,b", "\"", " ", "é", "😀", ",", "a\u{301}",
    ])
    func `Typed text adds no part to a name`(_ typed: String) throws {
        let bind = try #require(DirectoryPattern("uid={user},dc=org", .name))
        let read = try #require(DirectoryText.normalized(name: bind.with(typed)))
        #expect(read.hasPrefix("uid="))
        #expect(read.hasSuffix(",dc=org"))
        let commas = read.indices.filter { index in
            read[index] == ","
                && (index == read.startIndex || read[read.index(before: index)] != "\\")
        }
        #expect(commas.count == 1, "\(read)")
    }

    @Test(arguments: [
        ("uid={user},dc=org", DirectoryPattern.Kind.name, true), ("uid=anna,dc=org", .name, false),
        ("{user}@example.org", .name, false), ("uid={user},,dc=org", .name, false),
        ("", .name, false), ("(uid={user})", .filter, true), ("(uid=*)", .filter, false),
        ("(|(uid={user})(mail={user}))", .filter, true), ("(uid={user}", .filter, false),
        ("(&(uid={user})", .filter, false), ("(uid={user}\0)", .filter, false),
    ])
    func `A pattern must be valid and contain the user`(
        _ text: String, _ kind: DirectoryPattern.Kind, _ isOne: Bool
    ) {
        #expect((DirectoryPattern(text, kind) != nil) == isOne)
    }

    @Test func `An attribute's pattern is that of its filter`() {
        #expect(DirectoryPattern(attribute: "uid") == DirectoryPattern("(uid={user})", .filter))
    }

    @Test func `A filter also matches all users`() throws {
        let filter = try #require(DirectoryPattern("(&(uid={user})(active=yes))", .filter))
        #expect(filter.withAnybody == "(&(uid=*)(active=yes))")
    }

    @Test func `Names are normalised before comparison`() {
        let spellings = [
            "UID=Anna,DC=org", "uid=anna, dc=org", #"uid=\61nna,dc=ORG"#, "uid=anna;dc=org",
        ]
        let read = Set(spellings.prefix(3).map { DirectoryText.normalized(name: $0) })
        #expect(read == ["uid=anna,dc=org"])
        #expect(DirectoryText.normalized(name: "nonsense") == nil)
        #expect(DirectoryText.normalized(name: "") == nil)
        #expect(EntryID(name: "uid=Anna,dc=org")?.text == "dn=uid=anna,dc=org")
    }

    /// Active Directory's ids are bytes.
    @Test func `An entry's id is a filter term`() {
        let id = EntryID("objectGUID", [0x2A, 0x00, 0xFF, UInt8(ascii: "a")])
        #expect(id.text == #"objectguid=\2a\00\ffa"#)
        #expect(id.filter == #"(objectguid=\2a\00\ffa)"#)
        #expect(id.name == nil)
        #expect(EntryID(stored: "dn=uid=a,dc=b").filter == nil)
        #expect(EntryID(stored: "dn=uid=a,dc=b").name == "uid=a,dc=b")
    }
}
