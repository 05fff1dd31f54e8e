internal import Base64
internal import Tracking

/// A passkey that somebody adds.
public struct PasskeyAddition: Sendable {
    /// `attestationObject`, `clientDataJSON`.
    public let attestation: [UInt8]
    public let clientData: [UInt8]
    public let label: DisplayName?
    public let password: Password
    public let code: SecondFactorCode?
}

/// What a passkey has signed, to log in.
public struct PasskeyLogin: Sendable {
    /// The passkey's, as the authenticator has chosen it.
    public let id: [UInt8]
    public let authenticatorData: [UInt8]
    public let clientData: [UInt8]
    public let signature: [UInt8]
    public let userHandle: [UInt8]
    public let device: Name
    /// As in ``GuestCommand/Login``.
    public let visitor: String?
}

/// The bounds of what browsers send, in bytes.
enum PasskeyLimits {
    /// WebAuthn, 4.
    static let id = 1_023
    static let clientData = 2_048
    static let authenticatorData = 1_024
    /// With the certificates of a maker that was not asked.
    static let attestation = 16_384
    /// Of a key of 4096 bits.
    static let signature = 512
    /// WebAuthn, 5.4.3.
    static let userHandle = 64
}

extension AccountCommand {
    static func addPasskey(_ fields: inout Fields) -> AccountCommand? {
        let answer = fields.credential { response in Created(&response) }
        let label = fields["label"] == nil ? nil : fields.displayName("label")
        let password = fields.password("password")
        let code = fields["code"] == nil ? nil : fields.code("code")
        guard let answer, let password else { return nil }
        return .addPasskey(
            PasskeyAddition(
                attestation: answer.response.attestation, clientData: answer.response.client,
                label: label, password: password, code: code))
    }

    /// The answer of a new passkey.
    private struct Created {
        let attestation: [UInt8]
        let client: [UInt8]

        init?(_ fields: inout Fields) {
            let attestation = fields.bytes("attestationObject", atMost: PasskeyLimits.attestation)
            let client = fields.bytes("clientDataJSON", atMost: PasskeyLimits.clientData)
            guard let attestation, let client else { return nil }
            (self.attestation, self.client) = (attestation, client)
        }
    }

    static func removePasskey(_ fields: inout Fields) -> AccountCommand? {
        let (passkey, password) = (fields.uuid("passkey"), fields.password("password"))
        guard let passkey, let password else { return nil }
        return .removePasskey(passkey, password)
    }
}

extension GuestCommand {
    static func logInByPasskey(_ fields: inout Fields) -> GuestCommand? {
        let answer = fields.credential { response in Signed(&response) }
        let (device, visitor) = (fields.name("device"), visitor(&fields))
        guard let answer, let device else { return nil }
        return .logInByPasskey(
            PasskeyLogin(
                id: answer.id, authenticatorData: answer.response.data,
                clientData: answer.response.client, signature: answer.response.signature,
                userHandle: answer.response.handle, device: device, visitor: visitor))
    }

    /// The answer of a passkey that logs in.
    private struct Signed {
        let client: [UInt8]
        let data: [UInt8]
        let signature: [UInt8]
        let handle: [UInt8]

        init?(_ fields: inout Fields) {
            let client = fields.bytes("clientDataJSON", atMost: PasskeyLimits.clientData)
            let data = fields.bytes("authenticatorData", atMost: PasskeyLimits.authenticatorData)
            let signature = fields.bytes("signature", atMost: PasskeyLimits.signature)
            let handle = fields.bytes("userHandle", atMost: PasskeyLimits.userHandle)
            guard let client, let data, let signature, let handle else { return nil }
            (self.client, self.data) = (client, data)
            (self.signature, self.handle) = (signature, handle)
        }
    }
}

extension Fields {
    /// Reads `credential`, what `PublicKeyCredential.toJSON()` gives.
    fileprivate mutating func credential<Response>(
        _ read: (inout Fields) -> Response?
    ) -> (id: [UInt8], response: Response)? {
        nested("credential") { fields throws(Problem) in
            let id = fields.bytes("id", atMost: PasskeyLimits.id)
            let response = fields.nested("response") { fields throws(Problem) in read(&fields) }
            guard let id, let response else { return nil }
            return (id, response)
        }
    }

    /// Reads bytes in base64url; at least one.
    fileprivate mutating func bytes(_ field: String, atMost limit: Int) -> [UInt8]? {
        guard let text = string(field) else { return nil }
        // Four digits for three bytes.
        guard text.utf8.count <= (limit + 2) / 3 * 4, let bytes = Base64URL.decode(text),
            (1...limit).contains(bytes.count)
        else {
            refuse(field, "must be 1 to \(limit) bytes in base64url")
            return nil
        }
        return bytes
    }
}
