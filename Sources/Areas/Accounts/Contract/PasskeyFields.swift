internal import Base64
internal import Tracking

/// A request to add a passkey.
public struct PasskeyAddition: Sendable {
    /// `attestationObject`, `clientDataJSON`.
    public let attestation: [UInt8]
    public let clientData: [UInt8]
    public let label: DisplayName?
    public let password: Password
    public let code: SecondFactorCode?
}

/// A passkey's signature for a login.
public struct PasskeyLogin: Sendable {
    /// The passkey's id, chosen by the authenticator.
    public let id: [UInt8]
    public let authenticatorData: [UInt8]
    public let clientData: [UInt8]
    public let signature: [UInt8]
    public let userHandle: [UInt8]
    public let device: Name
    /// The same as in ``AccountGuestCommand/Login``.
    public let visitor: String?
}

/// The bounds of browser values, in bytes.
enum PasskeyLimits {
    /// WebAuthn, 4.
    static let id = 1_023
    static let clientData = 2_048
    static let authenticatorData = 1_024
    /// Includes the certificates of a manufacturer, although attestation is not requested.
    static let attestation = 16_384
    /// A signature by a 4096-bit key.
    static let signature = 512
    /// WebAuthn, 5.4.3.
    static let userHandle = 64
}

extension PasskeyAddition {
    private static let response = Form(
        Form("attestationObject", .bytes(atMost: PasskeyLimits.attestation)),
        Form("clientDataJSON", .bytes(atMost: PasskeyLimits.clientData))
    ) { (attestation: $0, clientData: $1) }

    static let form = Form(
        Form(
            "credential", .credential(response),
            "`PublicKeyCredential.toJSON()` of the browser's credential"),
        Form("label", .displayName).ifPresent, Form("password", .password),
        Form("code", .code, "required with a second factor").ifPresent
    ) { credential, label, password, code in
        PasskeyAddition(
            attestation: credential.response.attestation,
            clientData: credential.response.clientData, label: label, password: password,
            code: code)
    }
}

extension PasskeyLogin {
    private static let response = Form(
        Form("authenticatorData", .bytes(atMost: PasskeyLimits.authenticatorData)),
        Form("clientDataJSON", .bytes(atMost: PasskeyLimits.clientData)),
        Form("signature", .bytes(atMost: PasskeyLimits.signature)),
        Form("userHandle", .bytes(atMost: PasskeyLimits.userHandle))
    ) { (data: $0, client: $1, signature: $2, handle: $3) }

    static let form = Form(
        Form("credential", .credential(response)), Form("device", .name), Form.visitor
    ) { credential, device, visitor in
        PasskeyLogin(
            id: credential.id, authenticatorData: credential.response.data,
            clientData: credential.response.client, signature: credential.response.signature,
            userHandle: credential.response.handle, device: device, visitor: visitor)
    }
}

extension Kind {
    /// The form of `PublicKeyCredential.toJSON()`.
    fileprivate static func credential<Response>(_ response: Form<Response>) -> Kind
    where Value == (id: [UInt8], response: Response) {
        .object(
            Form(
                Form("id", .bytes(atMost: PasskeyLimits.id)),
                Form<Response>("response", .object(response))
            ) { ($0, $1) })
    }
}

extension Kind where Value == [UInt8] {
    /// At least one byte, in base64url.
    fileprivate static func bytes(atMost limit: Int) -> Kind {
        .text(orRefuse: "must be 1 to \(limit) bytes in base64url") { text in
            // Four digits for three bytes.
            guard text.utf8.count <= (limit + 2) / 3 * 4, let bytes = Base64URL.decode(text),
                (1...limit).contains(bytes.count)
            else { return nil }
            return bytes
        }
    }
}
