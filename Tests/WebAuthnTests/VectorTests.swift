import Testing
import WebAuthn

extension Vector: CustomTestStringConvertible {
    var testDescription: String { name }

    func passkey(
        _ party: RelyingParty = .example, challenge: [UInt8]? = nil, requiringUser: Bool = false
    ) throws -> Passkey {
        try Passkey(
            attestation: attestation, try ClientData(created),
            challenge: challenge ?? self.challenge, for: party, requiringUser: requiringUser)
    }

    func check(
        _ passkey: Passkey, _ party: RelyingParty = .example, challenge: [UInt8]? = nil,
        requiringUser: Bool = false
    ) throws -> UInt32 {
        try passkey.check(
            data, try ClientData(got), signature: signature,
            challenge: challenge ?? secondChallenge, for: party, requiringUser: requiringUser)
    }
}

extension RelyingParty {
    static let example: RelyingParty = {
        guard let party = RelyingParty(origin: "https://example.org") else {
            preconditionFailure("browsers allow passkeys there")
        }
        return party
    }()
}

struct VectorTests {
    @Test(arguments: [Vector.es256, .selfAttested, .longID, .rs256, .edDSA])
    func `The standard's passkeys and their signatures are accepted`(_ vector: Vector) throws {
        let passkey = try vector.passkey()
        #expect(passkey.id == vector.id)
        #expect(passkey.signCount == 0)
        #expect(try vector.check(passkey) == 0)
    }

    @Test(arguments: [Vector.embedded, .embeddedElsewhere])
    func `A response from inside another site is refused`(_ vector: Vector) throws {
        #expect(throws: WebAuthnError.origin) { try vector.passkey() }
        let passkey = Passkey(
            id: vector.id, publicKey: try Vector.es256.passkey().publicKey, signCount: 0,
            isSynced: false)
        #expect(throws: WebAuthnError.origin) { try vector.check(passkey) }
    }

    @Test func `Another challenge, purpose, page or host is refused`() throws {
        let vector = Vector.es256
        let passkey = try vector.passkey()
        #expect(throws: WebAuthnError.challenge) {
            try vector.passkey(challenge: vector.secondChallenge)
        }
        #expect(throws: WebAuthnError.challenge) {
            try vector.check(passkey, challenge: vector.challenge)
        }
        let other = try #require(RelyingParty(origin: "https://example.org:8443"))
        #expect(throws: WebAuthnError.origin) { try vector.passkey(other) }
        #expect(throws: WebAuthnError.origin) { try vector.check(passkey, other) }
        #expect(throws: WebAuthnError.type) {
            try Passkey(
                attestation: vector.attestation, try ClientData(vector.got),
                challenge: vector.secondChallenge, for: .example, requiringUser: false)
        }
        #expect(throws: WebAuthnError.type) {
            try passkey.check(
                vector.data, try ClientData(vector.created), signature: vector.signature,
                challenge: vector.challenge, for: .example, requiringUser: false)
        }
    }

    @Test func `Presence is not enough where user verification is required`() throws {
        let vector = Vector.es256
        #expect(throws: WebAuthnError.userVerification) {
            try vector.passkey(requiringUser: true)
        }
        let passkey = try vector.passkey()
        #expect(throws: WebAuthnError.userVerification) {
            try vector.check(passkey, requiringUser: true)
        }
    }

    @Test(arguments: [Vector.es256, .rs256, .edDSA])
    func `A passkey's signature is not valid for another passkey`(_ vector: Vector) throws {
        let other = vector.name == "es256" ? Vector.selfAttested : .es256
        let passkey = Passkey(
            id: vector.id, publicKey: try other.passkey().publicKey, signCount: 0,
            isSynced: try vector.passkey().isSynced)
        #expect(throws: WebAuthnError.signature) { try vector.check(passkey) }
    }

    // MARK: Damage

    @Test(arguments: [Vector.es256, .edDSA])
    func `A signed response with any bit flipped is refused`(_ vector: Vector) throws {
        let passkey = try vector.passkey()
        func accepts(_ data: [UInt8], _ client: [UInt8], _ signature: [UInt8]) -> Bool {
            do {
                _ = try passkey.check(
                    data, try ClientData(client), signature: signature,
                    challenge: vector.secondChallenge, for: .example, requiringUser: false)
                return true
            } catch {
                return false
            }
        }
        #expect(accepts(vector.data, vector.got, vector.signature))
        for bit in 0..<8 {
            for place in vector.data.indices {
                var data = vector.data
                data[place] ^= 1 << bit
                #expect(!accepts(data, vector.got, vector.signature))
            }
            for place in vector.got.indices {
                var client = vector.got
                client[place] ^= 1 << bit
                #expect(!accepts(vector.data, client, vector.signature))
            }
            for place in vector.signature.indices {
                var signature = vector.signature
                signature[place] ^= 1 << bit
                #expect(!accepts(vector.data, vector.got, signature))
            }
        }
        for length in 0..<vector.data.count {
            #expect(!accepts(Array(vector.data.prefix(length)), vector.got, vector.signature))
        }
        for length in 0..<vector.signature.count {
            #expect(!accepts(vector.data, vector.got, Array(vector.signature.prefix(length))))
        }
    }

    @Test(arguments: [Vector.es256, .selfAttested, .rs256, .edDSA])
    func `A new passkey that is truncated or has more bytes is refused`(_ vector: Vector) throws {
        let client = try ClientData(vector.created)
        func create(_ attestation: some Sequence<UInt8>) throws -> Passkey {
            try Passkey(
                attestation: Array(attestation), client, challenge: vector.challenge,
                for: .example, requiringUser: false)
        }
        #expect(throws: Never.self) { try create(vector.attestation) }
        for length in vector.attestation.indices {
            #expect(throws: WebAuthnError.self) { try create(vector.attestation.prefix(length)) }
        }
        #expect(throws: WebAuthnError.encoding) { try create(vector.attestation + [0]) }
    }

    @Test(arguments: [Vector.es256, .selfAttested, .edDSA])
    func `A damaged new passkey does not verify the genuine response`(_ vector: Vector) throws {
        let whole = try vector.passkey()
        for place in vector.attestation.indices {
            for bit in 0..<8 {
                var damaged = vector.attestation
                damaged[place] ^= 1 << bit
                // It is not signed: if it is read at all, it is another passkey, or the damage is
                // in an unread part.
                let passkey = try? Passkey(
                    attestation: damaged, try ClientData(vector.created),
                    challenge: vector.challenge, for: .example, requiringUser: false)
                guard let passkey, passkey != whole else { continue }
                #expect(throws: WebAuthnError.self) { try check(vector, passkey, whole) }
            }
        }
    }

    /// - Throws: the error; `signature` also if only the id differs.
    private func check(_ vector: Vector, _ passkey: Passkey, _ whole: Passkey) throws {
        _ = try vector.check(passkey)
        if passkey.id != whole.id || passkey.signCount != whole.signCount
            || passkey.publicKey != whole.publicKey
        {
            throw WebAuthnError.signature
        }
    }
}
