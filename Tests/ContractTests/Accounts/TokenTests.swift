import Contract
import Testing
import Tracking

/// Token formats, and text that only resembles them.
struct TokenTests {
    private static let secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"

    @Test func `A token survives parsing and printing`() throws {
        let token = try #require(DeviceToken("alice.phone.\(TokenTests.secret)"))
        #expect(token.user == .named("alice"))
        #expect(token.device == .phone)
        #expect(token.text == "alice.phone.\(TokenTests.secret)")
        #expect(DeviceToken(token.text) == token)
    }

    @Test func `System principals are matched by the exact bytes of their names`() {
        for system in Principal.System.allCases {
            #expect(Principal.System(username: system.rawValue) == system)
            #expect(Principal.System(username: system.rawValue + "\u{301}") == nil)
            #expect(Principal.System(username: system.rawValue.dropLast()) == nil)
        }
        for name in ["", "kith:", "bridge", "KITH:BRIDGE", "alice"] {
            #expect(Principal.System(username: name) == nil, "\(name)")
        }
    }

    /// The hash is that of `printf %s … | sha256sum`.
    @Test func `The stored hash is that of the secret's characters`() throws {
        let token = try #require(DeviceToken("alice.phone.\(TokenTests.secret)"))
        let digits = token.hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        #expect(digits.joined() == TokenTests.hash)
        #expect(token.matches(token.hash))
        #expect(!token.matches([]))
        #expect(!token.matches(Array(token.hash.dropLast())))
        #expect(!token.matches(token.hash + [0]))
        for index in token.hash.indices {
            var other = token.hash
            other[index] ^= 1
            #expect(!token.matches(other))
        }
    }

    private static let hash =
        "ea866a757e4c38babfa8127cbe9a409d3e1f93a00ff1488ff735fcf917afffd0"

    @Test(arguments: [
        "", ".", "..", "...", "alice", "alice.phone", "alice.phone.",
        "alice.phone.\(secret.dropLast())", "alice.phone.\(secret)A", "alice.phone.\(secret).",
        "alice.phone.\(secret)\n", " alice.phone.\(secret)", "alice.phone. \(secret.dropLast())",
        "alice..\(secret)", ".phone.\(secret)", "alice.phone.x.\(secret)",
        "Alice.phone.\(secret)", "alice.Phone.\(secret)", "alice.phöne.\(secret)",
        "alice.phone.\(secret.dropLast())=", "alice.phone.\(secret.dropLast())+",
        // The last two bits mean nothing, so they must not be there.
        "alice.phone.\(secret.dropLast())9", "alice.phone.\(secret.dropLast())-",
        "alice.phone.\(secret.dropLast())8\u{301}", "kith:bridge.\(secret)",
        "alice.phone.\(String(repeating: "A", count: 100_000))",
    ])
    func `A malformed device token is rejected`(_ text: String) {
        #expect(DeviceToken(text) == nil)
    }

    @Test(arguments: Principal.System.allCases)
    func `Each system principal has a token`(_ principal: Principal.System) throws {
        let text = "\(principal.rawValue).\(TokenTests.secret)"
        let token = try #require(PrincipalToken(text))
        #expect(token.principal == .system(principal))
        #expect(token.text == text)
        #expect(token.matches(try #require(TokenSecret(TokenTests.secret)).hash))
        #expect(DeviceToken(text) == nil)
    }

    @Test(arguments: [
        "", "kith:bridge", "kith:bridge.", "kith:x.\(secret)", "bridge.\(secret)",
        "Kith:bridge.\(secret)", "kith:bridge.\(secret).", "kith:bridge.1.\(secret)",
    ])
    func `A malformed system token is rejected`(_ text: String) {
        #expect(PrincipalToken(text) == nil)
    }

    private static let id = "01890a5d-ac96-774b-bcce-b302099a8057"

    /// Tokens as issued: they keep working, however the types change.
    @Test func `Issued link, service, observer and system tokens keep working`() throws {
        let viewer = try #require(PrincipalToken("share:\(TokenTests.id).\(TokenTests.secret)"))
        let id = try #require(UUIDv7(TokenTests.id))
        #expect(viewer.principal == .bearer(Grant(.share, id)))
        #expect(viewer.username == "share:\(TokenTests.id)")
        #expect(viewer.text == "share:\(TokenTests.id).\(TokenTests.secret)")
        let observer = try #require(
            PrincipalToken("observer:\(TokenTests.id).\(TokenTests.secret)"))
        #expect(observer.principal == .bearer(Grant(.observer, id)))
        #expect(observer.username == "observer:\(TokenTests.id)")
        #expect(observer.text == "observer:\(TokenTests.id).\(TokenTests.secret)")
        let service = try #require(PrincipalToken("service:sleep-lab.\(TokenTests.secret)"))
        #expect(service.principal == .service(.named("sleep-lab")))
        #expect(service.username == "service:sleep-lab")
        #expect(service.text == "service:sleep-lab.\(TokenTests.secret)")
        let system = try #require(PrincipalToken("kith:bridge.\(TokenTests.secret)"))
        for hash in [viewer.hash, observer.hash, service.hash, system.hash] {
            let digits = hash.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
            #expect(digits.joined() == TokenTests.hash)
        }
        #expect("\(viewer) \(observer) \(service)" == "a token a token a token")
        #expect(!String(reflecting: [observer]).contains(TokenTests.secret))
    }

    @Test(arguments: [
        "\(id).\(secret)", ":\(id).\(secret)", "share:.\(secret)", "share:\(id)", "share:\(id).",
        "share:\(id.uppercased()).\(secret)", "Share:\(id).\(secret)", "share: \(id).\(secret)",
        "share:\(id)\u{301}.\(secret)", "share:\(id).\(secret).", "share:x.\(secret)",
        "observer:\(id.uppercased()).\(secret)", "observer:.\(secret)", "observer:\(id).x",
        "observer:observer:\(id).\(secret)", "service:.\(secret)", "service:Lab.\(secret)",
        "service:lab.x.\(secret)", "service:lab", "kith:bridge.x.\(secret)",
    ])
    func `A malformed token is rejected as every kind`(_ text: String) {
        #expect(PrincipalToken(text) == nil)
        #expect(DeviceToken(text) == nil)
    }

    @Test func `Each principal with a username is found by it, and its token by its text`() throws {
        let id = try #require(UUIDv7(TokenTests.id))
        let secret = try #require(TokenSecret(TokenTests.secret))
        var principals = Grant.Kind.allCases.map { Principal.bearer(Grant($0, id)) }
        principals += Principal.System.allCases.map { .system($0) }
        principals.append(.service(.named("sleep-lab")))
        for principal in principals {
            #expect(Principal(username: principal.username) == principal)
            #expect(!principal.row.prefix.isEmpty)
        }
        for principal in principals + [.device(.phone, of: .ann)] {
            let token = PrincipalToken(principal, secret: secret)
            #expect(token.username.hasPrefix(principal.row.prefix))
            #expect(PrincipalToken(token.text) == token)
        }
        #expect(Set(principals.map(\.username)).count == principals.count)
    }

    @Test func `Each generated token is unique and can be parsed`() throws {
        var random = SystemRandomNumberGenerator()
        var seen: Set<String> = []
        for _ in 0..<1000 {
            let token = DeviceToken(user: .ann, device: .phone, using: &random)
            #expect(DeviceToken(token.text) == token)
            seen.insert(token.text)
        }
        #expect(seen.count == 1000)
    }

    @Test func `Every bit of a secret is random`() throws {
        var random = SystemRandomNumberGenerator()
        let tokens = (0..<400).map { _ in
            Array(DeviceToken(user: .ann, device: .phone, using: &random).text.utf8.suffix(43))
        }
        for place in 0..<43 {
            let letters = Set(tokens.map { $0[place] })
            #expect(letters.count > (place == 42 ? 12 : 50))
            #expect(letters.count <= (place == 42 ? 16 : 64))
        }
    }

    @Test func `Printing a token does not reveal it`() throws {
        let token = try #require(DeviceToken("alice.phone.\(TokenTests.secret)"))
        #expect("\(token) \(token.secret)" == "a token a secret")
        #expect(!String(reflecting: [token]).contains(TokenTests.secret))
    }
}
