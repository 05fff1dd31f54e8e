internal import Base64
internal import Crypto
internal import JSON

/// The browser's statement about an answer, which the authenticator signs (WebAuthn, 5.8.1).
public struct ClientData: Sendable {
    /// The challenge that was answered.
    public let challenge: [UInt8]
    private let type: String
    private let origin: String
    /// Whether the page was embedded in another site's.
    private let isEmbedded: Bool
    /// SHA-256 of the bytes.
    let hash: [UInt8]

    enum Purpose: String {
        case add = "webauthn.create"
        case logIn = "webauthn.get"
    }

    /// - Throws: `clientData`.
    public init(_ bytes: [UInt8]) throws(WebAuthnError) {
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(bytes) } catch { throw .clientData }
        guard case .string(let type) = value["type"], case .string(let origin) = value["origin"],
            case .string(let text) = value["challenge"], let challenge = Base64URL.decode(text)
        else { throw .clientData }
        (self.type, self.origin, self.challenge) = (type, origin, challenge)
        switch value["crossOrigin"] {
        case nil, .null, .bool(false): isEmbedded = value["topOrigin"] != nil
        default: isEmbedded = true
        }
        hash = Array(SHA256.hash(data: bytes))
    }

    func check(_ purpose: Purpose, _ challenge: [UInt8], for party: RelyingParty)
        throws(WebAuthnError)
    {
        guard type == purpose.rawValue else { throw .type }
        guard self.challenge == challenge else { throw .challenge }
        guard origin == party.origin, !isEmbedded else { throw .origin }
    }
}
