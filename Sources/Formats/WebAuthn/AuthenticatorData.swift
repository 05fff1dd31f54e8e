/// An authenticator's statement (WebAuthn, 6.1).
struct AuthenticatorData {
    let relyingPartyHash: [UInt8]
    let flags: Flags
    let signCount: UInt32
    /// A new passkey.
    let attested: Attested?

    struct Flags: OptionSet {
        let rawValue: UInt8

        static let userPresent = Flags(rawValue: 0x01)
        static let userVerified = Flags(rawValue: 0x04)
        static let isBackupEligible = Flags(rawValue: 0x08)
        static let isBackedUp = Flags(rawValue: 0x10)
        static let hasAttested = Flags(rawValue: 0x40)
        static let hasExtensions = Flags(rawValue: 0x80)
    }

    struct Attested {
        let id: [UInt8]
        /// As received: COSE.
        let publicKey: [UInt8]
    }

    /// - Throws: `encoding`, also for anything that the flags do not announce; `publicKey`.
    init(_ bytes: [UInt8]) throws(WebAuthnError) {
        var rest = bytes[...]
        func take(_ count: Int) throws(WebAuthnError) -> [UInt8] {
            guard rest.count >= count else { throw .encoding }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        func skipValue() throws(WebAuthnError) -> CBOR {
            var reader = CBORReader(rest)
            let value = try reader.value()
            rest = rest.suffix(reader.rest.count)
            return value
        }
        relyingPartyHash = try take(32)
        flags = Flags(rawValue: try take(1)[0])
        signCount = try take(4).reduce(0) { $0 << 8 | UInt32($1) }
        if flags.contains(.hasAttested) {
            // The authenticator's model.
            _ = try take(16)
            let length = try take(2).reduce(0) { $0 << 8 | Int($1) }
            guard (1...Passkey.maximumID).contains(length) else { throw .encoding }
            let id = try take(length)
            let before = rest
            _ = try PublicKey(try skipValue())
            attested = Attested(
                id: id, publicKey: Array(before.prefix(before.count - rest.count)))
        } else {
            attested = nil
        }
        if flags.contains(.hasExtensions) {
            guard case .map = try skipValue() else { throw .encoding }
        }
        guard rest.isEmpty else { throw .encoding }
    }

    func check(for party: RelyingParty, requiringUser: Bool) throws(WebAuthnError) {
        guard relyingPartyHash == party.hash else { throw .relyingParty }
        guard flags.contains(.userPresent) else { throw .userPresence }
        guard !requiringUser || flags.contains(.userVerified) else { throw .userVerification }
        guard flags.contains(.isBackupEligible) || !flags.contains(.isBackedUp) else {
            throw .flags
        }
    }
}
