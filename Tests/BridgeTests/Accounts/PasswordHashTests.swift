import Contract
import Store
import Testing

@testable import Bridge

/// Stored password hashes.
struct PasswordHashTests {
    private func password(_ text: String) throws -> Password { try #require(Password(text)) }
    private let salt = [UInt8](repeating: 7, count: 16)
    private let cost = PasswordHash.Cost(ln: 10)

    /// Made with Python's `hashlib.scrypt`: N = 1024, r = 8, p = 3.
    @Test func `The hash is standard scrypt`() throws {
        let hash = try PasswordHash(
            password("pleaseletmein"), salt: Array("SodiumChloride".utf8), cost)
        #expect(hash.text == PasswordHashTests.known)
        #expect(PasswordHash(PasswordHashTests.known) == hash)
    }

    static let known =
        "$scrypt$ln=10,r=8,p=3$U29kaXVtQ2hsb3JpZGU$UddrzUC3nFgBgk6ZkbD6Ib1gVwREpn11IIwTtGBj4go"

    @Test func `A stored hash reads back and matches only its password`() throws {
        let hash = try PasswordHash(password("correct horse"), salt: salt, cost)
        let read = try #require(PasswordHash(hash.text))
        #expect(read == hash)
        #expect(try read.matches(password("correct horse")))
        #expect(try !read.matches(password("correct horsf")))
        #expect(try !read.matches(password("correct hors")))
    }

    @Test func `The hash for unknown users matches no password`() throws {
        for text in ["", " ", "x", "correct horse"] {
            guard let password = Password(text) else { continue }
            #expect(try !PasswordHash(ofNobody: cost).matches(password))
        }
    }

    @Test(arguments: [
        "", "$", "$$$$", "scrypt", "$scrypt$ln=10,r=8,p=3$$",
        "$argon2id$ln=10,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=9,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=30,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=63,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=20,r=16,p=1$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=10,r=0,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=10,r=8,p=99$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=-1,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=10,r=8,p=3$BwcH$BwcHBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=10,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcH",
        "$scrypt$ln=10,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$!!!HBwcHBwcHBwcHBwcHBw",
        "$scrypt$ln=10,r=8,p=3$BwcHBwcHBwcHBwcHBwcHBw$BwcHBwcHBwcHBwcHBwcHBw$",
    ])
    func `A damaged row is rejected without deriving a key`(_ text: String) {
        #expect(PasswordHash(text) == nil)
    }

    @Test func `A damaged row admits no one`() throws {
        let world = try World()
        try world.register()
        try world.store.transaction { transaction in
            for user in try transaction.users() {
                try transaction.setPasswordHash("$scrypt$ln=63,r=8,p=3$AAAA$AAAA", of: user.id)
            }
        }
        #expect(try world.logIn().outcome == "wrong-credentials")
    }

    @Test func `A hash with another cost than today's is still accepted`() throws {
        let world = try World()
        try world.register()
        let hash = try PasswordHash(password("another horse"), salt: salt, .init(ln: 11))
        try world.store.transaction { transaction in
            for user in try transaction.users() {
                try transaction.setPasswordHash(hash.text, of: user.id)
            }
        }
        #expect(try world.logIn("carol", "another horse").outcome == "ok")
    }

    @Test func `The default cost is affordable on this machine`() throws {
        let work = PasswordHash.Cost(BridgeSettings().accounts)
        #expect(work == PasswordHash.Cost(ln: 15, r: 8, p: 3) && work.isBearable)
        #expect(try PasswordHash(password("x"), salt: salt, work).matches(password("x")))
    }

    @Test func `A password's description does not reveal it`() throws {
        #expect("\(try password("correct horse"))" == "a password")
        #expect(String(reflecting: try password("correct horse")).contains("horse") == false)
    }
}
