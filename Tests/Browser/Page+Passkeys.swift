import TestSupport

extension Page {
    /// Adds an authenticator that has one finger, which its owner always presents.
    ///
    /// - Parameter isVerifying: whether it checks whose finger that is.
    /// - Returns: its id.
    @discardableResult
    public func plugIn(isVerifying: Bool = true) async throws -> String {
        try await send("WebAuthn.enable")
        let answer = try await send(
            "WebAuthn.addVirtualAuthenticator",
            [
                "options": [
                    "protocol": "ctap2", "transport": "internal", "hasResidentKey": true,
                    "hasUserVerification": true, "isUserVerified": .bool(isVerifying),
                    "automaticPresenceSimulation": true,
                ]
            ])
        guard let id = answer["authenticatorId"].text else {
            throw BrowserError("there is no authenticator: \(answer)")
        }
        return id
    }

    /// Takes the passkeys out of one page's authenticator and puts them into another's, as syncing
    /// does.
    public func sync(from other: Page, _ authenticator: String, to own: String) async throws {
        let answer = try await other.send(
            "WebAuthn.getCredentials", ["authenticatorId": .string(authenticator)])
        guard case .array(let credentials) = answer["credentials"], !credentials.isEmpty else {
            throw BrowserError("there is no passkey: \(answer)")
        }
        for credential in credentials {
            try await send(
                "WebAuthn.addCredential",
                ["authenticatorId": .string(own), "credential": credential])
        }
    }
}
