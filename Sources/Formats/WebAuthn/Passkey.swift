/// A passkey: the data to store, so that its owner can log in with it.
public struct Passkey: Hashable, Sendable {
    /// As chosen by the authenticator, 1 to 1023 bytes.
    public let id: [UInt8]
    /// COSE, as received.
    public let publicKey: [UInt8]
    /// The number of signatures, if it counts.
    public var signCount: UInt32
    /// Whether it may be on several devices of its owner.
    public let isSynced: Bool

    /// In bytes (WebAuthn, 4).
    public static let maximumID = 1_023

    public init(id: [UInt8], publicKey: [UInt8], signCount: UInt32, isSynced: Bool) {
        (self.id, self.publicKey) = (id, publicKey)
        (self.signCount, self.isSynced) = (signCount, isSynced)
    }

    /// Reads the answer to `navigator.credentials.create` (WebAuthn, 7.1). The authenticator's
    /// statement about its own make is not verified, whatever its format.
    ///
    /// - Parameters:
    ///   - attestation: `attestationObject`.
    ///   - requiringUser: whether the authenticator must have verified the user.
    public init(
        attestation: [UInt8], _ client: ClientData, challenge: [UInt8], for party: RelyingParty,
        requiringUser: Bool = true
    ) throws(WebAuthnError) {
        try client.check(.add, challenge, for: party)
        let object = try CBOR(attestation)
        guard case .text = object["fmt"], case .map = object["attStmt"],
            let bytes = object["authData"]?.byteString
        else { throw .encoding }
        let data = try AuthenticatorData(bytes)
        try data.check(for: party, requiringUser: requiringUser)
        guard let attested = data.attested else { throw .encoding }
        self.init(
            id: attested.id, publicKey: attested.publicKey, signCount: data.signCount,
            isSynced: data.flags.contains(.isBackupEligible))
    }

    /// Checks the answer to `navigator.credentials.get` (WebAuthn, 7.2).
    ///
    /// - Parameters:
    ///   - authenticatorData: as received in the answer.
    ///   - requiringUser: whether the authenticator must have verified the user.
    /// - Returns: the new number of signatures.
    public func check(
        _ authenticatorData: [UInt8], _ client: ClientData, signature: [UInt8],
        challenge: [UInt8], for party: RelyingParty, requiringUser: Bool = true
    ) throws(WebAuthnError) -> UInt32 {
        try client.check(.logIn, challenge, for: party)
        let data = try AuthenticatorData(authenticatorData)
        try data.check(for: party, requiringUser: requiringUser)
        guard data.flags.contains(.isBackupEligible) == isSynced else { throw .flags }
        guard try PublicKey(publicKey).isValid(signature, for: authenticatorData + client.hash)
        else { throw .signature }
        // Authenticators that do not count always report 0.
        guard data.signCount > signCount || data.signCount == 0 && signCount == 0 else {
            throw .signCount
        }
        return data.signCount
    }
}
