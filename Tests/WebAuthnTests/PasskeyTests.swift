import Authenticator
import Crypto
import Testing

@testable import WebAuthn

struct PasskeyTests {
    private func authenticator(_ flags: UInt8 = Authenticator.present | Authenticator.verified)
        throws -> Authenticator
    {
        var authenticator = try Authenticator(
            seed: [UInt8](repeating: 7, count: 32), userHandle: [1])
        authenticator.flags = flags
        return authenticator
    }

    private func create(_ authenticator: Authenticator) throws -> Passkey {
        let answer = authenticator.create([1, 2, 3], for: .example)
        return try Passkey(
            attestation: answer.data, try ClientData(answer.clientData), challenge: [1, 2, 3],
            for: .example)
    }

    private func check(_ passkey: Passkey, _ authenticator: inout Authenticator) throws -> UInt32 {
        let answer = try authenticator.get([4, 5, 6], for: .example)
        return try passkey.check(
            answer.data, try ClientData(answer.clientData), signature: answer.signature,
            challenge: [4, 5, 6], for: .example)
    }

    @Test func `The signature counter ascends, and a copy that lags behind is detected`() throws {
        var authenticator = try authenticator()
        authenticator.signCount = 3
        var passkey = try create(authenticator)
        #expect(passkey.signCount == 3)
        var copy = authenticator
        passkey.signCount = try check(passkey, &authenticator)
        #expect(passkey.signCount == 4)
        #expect(throws: WebAuthnError.signCount) { try check(passkey, &copy) }
        copy.signCount = nil
        #expect(throws: WebAuthnError.signCount) { try check(passkey, &copy) }
        passkey.signCount = try check(passkey, &authenticator)
        #expect(passkey.signCount == 5)
    }

    @Test func `An absent user, an unverified user and contradictory flags are refused`() throws {
        let (present, verified) = (Authenticator.present, Authenticator.verified)
        #expect(throws: WebAuthnError.userPresence) { try create(try authenticator(verified)) }
        #expect(throws: WebAuthnError.userVerification) { try create(try authenticator(present)) }
        #expect(throws: WebAuthnError.flags) {
            try create(try authenticator(present | verified | Authenticator.backedUp))
        }
        // Whether it may be copied never changes.
        let single = try create(try authenticator())
        var synced = try authenticator(present | verified | Authenticator.backupEligible)
        #expect(!single.isSynced)
        #expect(try create(synced).isSynced)
        #expect(throws: WebAuthnError.flags) { try check(single, &synced) }
    }

    @Test(arguments: [
        // kty, alg, crv and the length of x: of Ed25519, each wrong once.
        "a4 01 02 03 27 20 06 21 58 20", "a4 01 01 03 26 20 06 21 58 20",
        "a4 01 01 03 27 20 01 21 58 20", "a4 01 01 03 27 20 06 22 58 20",
        // ES256 without y; secp256k1; symmetric; Ed448.
        "a4 01 02 03 26 20 01 21 58 20", "a4 01 02 03 38 2e 20 08 21 58 20",
        "a4 01 04 03 05 20 06 21 58 20", "a4 01 01 03 27 20 07 21 58 20",
    ])
    func `A key of another kind is refused`(_ head: String) {
        #expect(throws: WebAuthnError.publicKey) {
            try PublicKey(bytes(head) + [UInt8](repeating: 9, count: 32))
        }
    }

    @Test func `A point that is not on the curve and short RSA keys are refused`() throws {
        let zeros = String(repeating: "00", count: 32)
        #expect(throws: WebAuthnError.publicKey) {
            try PublicKey(bytes("a5 01 02 03 26 20 01 21 58 20 \(zeros) 22 58 20 \(zeros)"))
        }
        func rsa(_ length: Int) throws -> PublicKey {
            let modulus = [0xc0] + [UInt8](repeating: 0xff, count: length - 1)
            return try PublicKey(
                bytes("a4 01 03 03 39 01 00 20 59") + [UInt8(length >> 8), UInt8(length & 0xff)]
                    + modulus + bytes("21 43 01 00 01"))
        }
        #expect(throws: Never.self) { try rsa(256) }
        #expect(throws: WebAuthnError.publicKey) { try rsa(255) }
        #expect(throws: WebAuthnError.publicKey) { try rsa(513) }
    }

    @Test(arguments: [
        "https://kith.example.org", "https://kith.example.org:8443", "https://localhost",
        "http://localhost:8080", "http://kith.localhost:8080", "https://xn--kth-cla.example",
    ])
    func `An origin where browsers allow passkeys is accepted`(_ origin: String) throws {
        let party = try #require(RelyingParty(origin: origin))
        #expect(party.origin == origin)
        #expect(!party.id.contains(":"))
    }

    @Test(arguments: [
        "", "https://", "http://kith.example.org", "http://127.0.0.1:8080", "https://127.0.0.1",
        "https://[::1]:8443", "https://kith.example.org/", "https://kith.example.org:",
        "https://Kith.example.org", "https://kith..org", "https://localhost:8080:1",
        "http://localhost.example.org", "ftp://localhost", "https://a b", "https://u@localhost",
    ])
    func `An origin where browsers allow no passkeys is rejected`(_ origin: String) {
        #expect(RelyingParty(origin: origin) == nil)
    }

    @Test func `A challenge is verified by its seal, for its purpose alone`() throws {
        var random = SystemRandomNumberGenerator()
        let key = SymmetricKey(size: .bits256)
        let challenge = Challenge(for: "add 7", at: 1_800_000_000_000, key, using: &random)
        let read = try #require(Challenge(challenge.bytes, for: "add 7", key))
        #expect(read.madeAt == 1_800_000_000_000)
        #expect(Challenge(challenge.bytes, for: "add 70", key) == nil)
        #expect(Challenge(challenge.bytes, for: "log in", key) == nil)
        #expect(Challenge(challenge.bytes, for: "add 7", SymmetricKey(size: .bits256)) == nil)
        for place in challenge.bytes.indices {
            var bytes = challenge.bytes
            bytes[place] ^= 0x80
            #expect(Challenge(bytes, for: "add 7", key) == nil)
            #expect(Challenge(Array(challenge.bytes.prefix(place)), for: "add 7", key) == nil)
        }
        #expect(Challenge(challenge.bytes + [0], for: "add 7", key) == nil)
        #expect(
            Challenge(for: "add 7", at: 1_800_000_000_000, key, using: &random) != challenge)
    }
}
