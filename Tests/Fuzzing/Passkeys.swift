import WebAuthn

/// Answers of authenticators and browsers.
enum Passkeys {
    /// Two lines, `clientDataJSON` and the host; the rest is an attestation.
    static func read(_ bytes: [UInt8]) throws {
        let lines = Lines(2, of: bytes)
        guard let party = RelyingParty(origin: "https://\(lines.heads[1])"),
            let client = try? ClientData(Array(lines.heads[0].utf8)),
            let passkey = try? Passkey(
                attestation: lines.rest, client, challenge: client.challenge, for: party,
                requiringUser: false)
        else { return }
        try expect(
            (1...Passkey.maximumID).contains(passkey.id.count), "a passkey has an id that is kept")
        let key: PublicKey? = try? PublicKey(passkey.publicKey)
        try expect(key != nil, "what is kept of a key is read again")
        let answer = try? passkey.check(
            lines.rest, client, signature: lines.rest, challenge: client.challenge, for: party,
            requiringUser: false)
        try expect(answer == nil, "a registration is not a login")
    }
}
