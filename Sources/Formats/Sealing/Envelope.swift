internal import Crypto
internal import Foundation

/// The public key for content that only the holder of the ``SealingKeys`` may read.
public struct EnvelopeKey: Hashable, Sendable {
    /// The number of the key to which it belongs.
    public let id: Int64
    /// X25519.
    private let key: [UInt8]

    init(_ id: Int64, _ key: Curve25519.KeyAgreement.PublicKey) {
        (self.id, self.key) = (id, Array(key.rawRepresentation))
    }

    /// - Parameter bytes: as ``bytes`` gives them.
    /// - Returns: nil if they are something else.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == 8 + Envelope.keyLength else { return nil }
        id = Envelope.number(bytes.prefix(8))
        key = Array(bytes.dropFirst(8))
    }

    public var bytes: [UInt8] { Envelope.bytes(of: id) + key }

    fileprivate var publicKey: Curve25519.KeyAgreement.PublicKey? {
        do { return try .init(rawRepresentation: key) } catch { return nil }
    }
}

/// The layout of an envelope: a mark, the number of the key, the sender's encapsulated key, and
/// nonce, ciphertext and tag.
///
/// The key is agreed on by hybrid public key encryption (HPKE, RFC 9180) with X25519, HKDF-SHA256
/// and AES-256-GCM, once for many envelopes: each is sealed with a secret exported from it
/// (section 5.3), under a random nonce, so that they can be opened in any order.
enum Envelope {
    /// JSON never begins with it.
    static let mark: UInt8 = 1
    static let keyLength = 32
    static let headLength = 1 + 8 + keyLength
    static let info = Data("kith envelope".utf8)
    static let suite = HPKE.Ciphersuite(
        kem: .Curve25519_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

    static func number(_ bytes: ArraySlice<UInt8>) -> Int64 {
        bytes.reduce(0) { $0 << 8 | Int64($1) }
    }

    static func bytes(of id: Int64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: id >> (56 - 8 * $0)) }
    }
}

/// Seals messages in envelopes that only the holder of the ``SealingKeys`` can open: not even the
/// sealer can.
public struct EnvelopeSealer {
    public let key: EnvelopeKey
    private let head: [UInt8]
    private let secret: SymmetricKey
    private var left = EnvelopeSealer.perSender

    /// Far fewer than random nonces of 96 bits allow under one key (2³²).
    private static let perSender = 1 << 24

    /// - Returns: nil if the key is damaged.
    public init?(to key: EnvelopeKey) {
        guard let publicKey = key.publicKey else { return nil }
        do {
            let sender = try HPKE.Sender(
                recipientKey: publicKey, ciphersuite: Envelope.suite, info: Envelope.info)
            self.key = key
            head = [Envelope.mark] + Envelope.bytes(of: key.id) + sender.encapsulatedKey
            secret = try sender.exportSecret(context: Envelope.info, outputByteCount: 32)
        } catch {
            return nil
        }
    }

    /// - Parameter context: the subject of the content; ``EnvelopeOpener`` also has to name it.
    /// - Returns: nil if this sealer has sealed enough, and has to be replaced.
    public mutating func seal(_ content: [UInt8], as context: String) -> [UInt8]? {
        guard left > 0 else { return nil }
        left -= 1
        do {
            let box = try AES.GCM.seal(
                content, using: secret, authenticating: Array(context.utf8))
            return box.combined.map { head + $0 }
        } catch {
            return nil
        }
    }
}

/// Opens envelopes; caches the agreements with the last senders.
public struct EnvelopeOpener {
    private let keys: SealingKeys
    private var secrets: [(head: [UInt8], secret: SymmetricKey)] = []

    /// The number of cached senders: the broker's plugin is a new one after each start.
    private static let remembered = 8

    public init(_ keys: SealingKeys) { self.keys = keys }

    /// Returns whether this may be an envelope, and is not JSON.
    public static func isEnvelope(_ bytes: [UInt8]) -> Bool { bytes.first == Envelope.mark }

    /// - Parameter context: the context of the sealing, so that content does not pass for
    ///   another's.
    /// - Returns: nil if its key is not there, or if anything was changed.
    public mutating func open(_ envelope: [UInt8], as context: String) -> [UInt8]? {
        let head = Array(envelope.prefix(Envelope.headLength))
        guard head.count == Envelope.headLength, head.first == Envelope.mark else { return nil }
        do {
            guard let secret = try secret(head) else { return nil }
            let box = try AES.GCM.SealedBox(combined: envelope.dropFirst(head.count))
            return Array(try AES.GCM.open(box, using: secret, authenticating: Array(context.utf8)))
        } catch {
            return nil
        }
    }

    private mutating func secret(_ head: [UInt8]) throws -> SymmetricKey? {
        if let known = secrets.first(where: { $0.head == head }) { return known.secret }
        guard let key = keys.agreementKey(Envelope.number(head[1..<9])) else { return nil }
        let recipient = try HPKE.Recipient(
            privateKey: key, ciphersuite: Envelope.suite, info: Envelope.info,
            encapsulatedKey: Data(head.dropFirst(9)))
        let secret = try recipient.exportSecret(context: Envelope.info, outputByteCount: 32)
        secrets.insert((head, secret), at: 0)
        if secrets.count > EnvelopeOpener.remembered { secrets.removeLast() }
        return secret
    }
}

extension SealingKeys {
    /// The key for envelopes that the newest of these opens; nil if it cannot be derived.
    public var envelopeKey: EnvelopeKey? {
        agreementKey(newest).map { EnvelopeKey(newest, $0.publicKey) }
    }

    /// Returns the private key for envelopes, derived from the key with this number.
    func agreementKey(_ id: Int64) -> Curve25519.KeyAgreement.PrivateKey? {
        guard let key = derived(id, for: "kith envelope key") else { return nil }
        do { return try .init(rawRepresentation: key) } catch { return nil }
    }
}
