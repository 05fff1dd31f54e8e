public import Crypto
public import Foundation
public import WebPush

/// Decrypts as a browser does: written from RFC 8188 and RFC 8291, with HMAC alone (RFC 5869), and
/// nothing of the code that encrypts.
public struct BrowserSide: Sendable {
    public let key: P256.KeyAgreement.PrivateKey
    public let secret: [UInt8]

    public init(key: P256.KeyAgreement.PrivateKey = .init(), secret: [UInt8]) {
        self.key = key
        self.secret = secret
    }

    public func subscription(_ endpoint: String = "https://push.example/abc")
        throws -> PushSubscription
    {
        try PushSubscription(
            endpoint: endpoint, p256dh: base64URL(key.publicKey.x963Representation),
            auth: base64URL(secret))
    }

    /// What the page sends to the service, as `PushSubscription.toJSON()` gives it.
    public func json(_ endpoint: String) -> String {
        let key = base64URL(key.publicKey.x963Representation)
        return
            #"{"endpoint":"\#(endpoint)","keys":{"p256dh":"\#(key)","auth":"\#(base64URL(secret))"}}"#
    }

    /// RFC 8291, 3.4.
    public func decrypt(_ body: [UInt8]) throws -> [UInt8] {
        let sender = Array(body[21..<21 + Int(body[20])])
        let shared = try key.sharedSecretFromKeyAgreement(
            with: P256.KeyAgreement.PublicKey(x963Representation: sender))
        let receiver = Array(key.publicKey.x963Representation)
        let first = mac(key: secret, shared.withUnsafeBytes { Array($0) })
        let material = mac(
            key: first, Array("WebPush: info".utf8) + [0] + receiver + sender + [1])
        return try decryptRecords(body, material: material)
    }
}

/// RFC 8188, 2.
public func decryptRecords(_ body: [UInt8], material: [UInt8]) throws -> [UInt8] {
    let salt = Array(body[..<16])
    let size = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
    let pseudorandom = mac(key: salt, material)
    let key = mac(key: pseudorandom, Array("Content-Encoding: aes128gcm".utf8) + [0, 1])[..<16]
    let base = Array(
        mac(key: pseudorandom, Array("Content-Encoding: nonce".utf8) + [0, 1])[..<12])
    var rest = body[(21 + Int(body[20]))...]
    var content: [UInt8] = []
    var number: UInt8 = 0
    while !rest.isEmpty {
        let record = rest.prefix(size)
        rest = rest.dropFirst(size)
        var nonce = base
        nonce[11] ^= number
        number += 1
        let opened = try AES.GCM.open(
            AES.GCM.SealedBox(
                nonce: AES.GCM.Nonce(data: nonce), ciphertext: record.dropLast(16),
                tag: record.suffix(16)), using: SymmetricKey(data: key))
        guard let end = opened.lastIndex(where: { $0 != 0 }),
            opened[end] == (rest.isEmpty ? 2 : 1)
        else { throw NoRecord() }
        content += opened[..<end]
    }
    return content
}

private struct NoRecord: Error {}

private func mac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: message, using: SymmetricKey(data: key)))
}

public func base64URL(_ bytes: some DataProtocol) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        .replacing("=", with: "")
}

public func bytes(_ base64URL: String) -> [UInt8] {
    let text = base64URL.replacing("-", with: "+").replacing("_", with: "/")
    let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
    return Data(base64Encoded: text + padding).map { Array($0) } ?? []
}
