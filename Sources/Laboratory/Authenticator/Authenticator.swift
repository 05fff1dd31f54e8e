internal import Base64
internal import Crypto
internal import JSON
public import WebAuthn

/// A software phone or security key with one passkey, for tests and simulated people.
///
/// It signs with Ed25519, so that the same seed always gives the same signatures.
public struct Authenticator: Sendable {
    /// The passkey's id.
    public let id: [UInt8]
    /// The owner's handle, as set by the service when the passkey was created.
    public let userHandle: [UInt8]
    private let key: Curve25519.Signing.PrivateKey
    /// The number of signatures so far; nil if it does not count.
    public var signCount: UInt32?
    /// The flags that it reports; tests change them.
    public var flags: UInt8 = present | verified

    public static let present: UInt8 = 0x01
    public static let verified: UInt8 = 0x04
    public static let backupEligible: UInt8 = 0x08
    public static let backedUp: UInt8 = 0x10

    /// - Throws: if the seed does not have 32 bytes.
    public init(seed: [UInt8], userHandle: [UInt8]) throws {
        key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed)
        id = Array(SHA256.hash(data: Array(key.publicKey.rawRepresentation)))
        self.userHandle = userHandle
    }

    /// An answer to `navigator.credentials.create` or `get`, as bytes.
    public struct Answer: Sendable {
        public var clientData: [UInt8]
        /// `attestationObject` of a new passkey, `authenticatorData` of one that signs.
        public var data: [UInt8]
        public var signature: [UInt8] = []

        public init(clientData: [UInt8], data: [UInt8], signature: [UInt8] = []) {
            (self.clientData, self.data, self.signature) = (clientData, data, signature)
        }
    }

    // MARK: Answers

    public func create(_ challenge: [UInt8], for party: RelyingParty) -> Answer {
        let id = [UInt8(self.id.count >> 8), UInt8(truncatingIfNeeded: self.id.count)] + self.id
        let attested = [UInt8](repeating: 0, count: 16) + id + publicKey
        let data = head(party, flags | 0x40) + attested
        let object =
            [0xa3] + Authenticator.text("fmt") + Authenticator.text("none")
            + Authenticator.text("attStmt") + [0xa0] + Authenticator.text("authData")
            + [0x59, UInt8(data.count >> 8), UInt8(truncatingIfNeeded: data.count)] + data
        return Answer(
            clientData: Authenticator.clientData("webauthn.create", challenge, party), data: object)
    }

    /// - Throws: if it cannot sign.
    public mutating func get(_ challenge: [UInt8], for party: RelyingParty) throws -> Answer {
        if let count = signCount { signCount = count + 1 }
        let data = head(party, flags)
        let client = Authenticator.clientData("webauthn.get", challenge, party)
        let signature = try key.signature(for: data + Array(SHA256.hash(data: client)))
        return Answer(clientData: client, data: data, signature: Array(signature))
    }

    /// COSE.
    private var publicKey: [UInt8] {
        [0xa4, 0x01, 0x01, 0x03, 0x27, 0x20, 0x06, 0x21, 0x58, 0x20]
            + Array(key.publicKey.rawRepresentation)
    }

    private func head(_ party: RelyingParty, _ flags: UInt8) -> [UInt8] {
        let count = signCount ?? 0
        return Array(SHA256.hash(data: Array(party.id.utf8))) + [flags]
            + withUnsafeBytes(of: count.bigEndian) { Array($0) }
    }

    /// - Parameter text: at most 23 bytes.
    private static func text(_ text: String) -> [UInt8] {
        [0x60 | UInt8(text.utf8.count)] + Array(text.utf8)
    }

    private static func clientData(
        _ type: String, _ challenge: [UInt8], _ party: RelyingParty
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.key("type")
            json.string(type)
            json.key("challenge")
            json.string(Base64URL.encode(challenge))
            json.key("origin")
            json.string(party.origin)
            json.key("crossOrigin")
            json.bool(false)
        }
    }
}

extension Authenticator {
    /// Returns the answer as `toJSON()` of the browser's credential would, as far as needed.
    public func json(created answer: Answer) -> String {
        json { json in
            json.key("attestationObject")
            json.string(Base64URL.encode(answer.data))
            json.key("clientDataJSON")
            json.string(Base64URL.encode(answer.clientData))
        }
    }

    public func json(got answer: Answer) -> String {
        json { json in
            json.key("authenticatorData")
            json.string(Base64URL.encode(answer.data))
            json.key("clientDataJSON")
            json.string(Base64URL.encode(answer.clientData))
            json.key("signature")
            json.string(Base64URL.encode(answer.signature))
            json.key("userHandle")
            json.string(Base64URL.encode(userHandle))
        }
    }

    private func json(_ response: (inout JSONWriter) -> Void) -> String {
        let bytes = JSONWriter.object { json in
            json.key("id")
            json.string(Base64URL.encode(id))
            json.key("response")
            json.object { response(&$0) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
