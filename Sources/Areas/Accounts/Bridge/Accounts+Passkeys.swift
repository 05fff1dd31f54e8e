import Base64
import Contract
import Crypto
import JSON
import Store
import Tracking
import WebAuthn

/// Passkeys: logging in with a signature of a phone or a security key that has verified its user.
/// That is two factors at once, so no code is required.
extension Accounts {
    /// The time within which a challenge must be signed.
    static let challengeLifetime = Duration.seconds(300)

    /// The relying party. Browsers bind passkeys to the page's host, which must be known and
    /// allowed for passkeys.
    private var relyingParty: RelyingParty? {
        settings.channels.page.flatMap { RelyingParty(origin: $0) }
    }

    func offeredParty() throws -> RelyingParty {
        guard let party = relyingParty else {
            throw Problem(
                .notAllowed,
                "Passkeys are not available here: they need the page's https address in "
                    + "web.origin.")
        }
        return party
    }

    // MARK: Challenges

    private static let loggingIn = "log in"

    func adding(_ person: Person) -> String { "add \(person.id.rawValue)" }

    /// Returns the key that seals challenges, creating it on first use.
    private func challengeKey() throws -> SymmetricKey {
        let bytes = try transaction.serviceKey("challenges", 32, using: &random)
        return SymmetricKey(data: bytes)
    }

    func challenge(for purpose: String) throws -> Challenge {
        Challenge(for: purpose, at: now.milliseconds, try challengeKey(), using: &random)
    }

    /// Reads what was signed; nil if the challenge is not ours, or too old.
    func asked(_ clientData: [UInt8], for purpose: String)
        throws -> (client: ClientData, challenge: Challenge)?
    {
        let client: ClientData
        do throws(WebAuthnError) { client = try ClientData(clientData) } catch { return nil }
        guard let challenge = Challenge(client.challenge, for: purpose, try challengeKey())
        else { return nil }
        let madeAt = Timestamp(milliseconds: challenge.madeAt)
        guard madeAt <= now, now < madeAt + Accounts.challengeLifetime else { return nil }
        return (client, challenge)
    }

    /// Whether the challenge may be used: each only once, in the order of their creation. A last
    /// one from the future predates a clock that was set back, and locks no one out.
    func isNext(_ challenge: Timestamp, after last: Timestamp) -> Bool {
        challenge > last || last > now
    }

    /// Returns a challenge for logging in, which reveals nothing about any account.
    func passkeyChallenge() throws -> [UInt8] {
        let party = try offeredParty()
        let challenge = try challenge(for: Accounts.loggingIn)
        return JSONWriter.object { json in
            json.key("options")
            json.object { json in
                json.challenge(challenge)
                json.key("rpId")
                json.string(party.id)
                json.key("allowCredentials")
                json.array([]) { $0.string($1) }
                json.key("userVerification")
                json.string("required")
            }
        }
    }

    // MARK: Logging in

    /// Logs in the passkey's owner. An unknown passkey, a wrong signature and an old challenge get
    /// the same answer.
    func logIn(_ login: PasskeyLogin, from source: AttemptBook.Source) throws -> [UInt8] {
        let party = try offeredParty()
        let attempt = try begin(.passkey, from: source)
        guard let (client, challenge) = try asked(login.clientData, for: Accounts.loggingIn),
            let row = try transaction.passkey(credential: login.id),
            let person = memory.people[row.user],
            try transaction.passkeyHandle(of: row.user)?.handle == login.userHandle,
            mayEnter(person)
        else { throw Accounts.unknownPasskey }
        let madeAt = Timestamp(milliseconds: challenge.madeAt)
        guard isNext(madeAt, after: row.challengeAt) else { throw Accounts.unknownPasskey }
        let count: UInt32
        do throws(WebAuthnError) {
            count = try row.passkey.check(
                login.authenticatorData, client, signature: login.signature,
                challenge: challenge.bytes, for: party)
        } catch {
            if error == .signCount { self.count("passkeys-copied") }
            throw Accounts.unknownPasskey
        }
        authentication.attempts.succeed(attempt)
        try transaction.notePasskey(row.id, signCount: count, challenge: madeAt, at: now)
        return try finishLogin(person, device: login.device)
    }

    private static let unknownPasskey = Problem(
        .wrongCredentials,
        "This passkey is not accepted here, or it took too long. Log in with your password.")

    // MARK: Listing and removing

    func passkeys(of person: Person) throws -> [PasskeyRow] {
        try transaction.passkeys(of: person.id)
    }

    func listPasskeys(of person: Person) throws -> [UInt8] {
        let known = try passkeys(of: person)
        return AccountResult.passkeys.bytes(of: (known.map(\.message), relyingParty != nil))
    }

    /// Removes a passkey after the password check.
    func removePasskey(_ id: UUIDv7, of person: Person) throws -> [UInt8] {
        guard let row = try passkeys(of: person).first(where: { $0.id == id }) else {
            throw Problem(.unknownPasskey, "You have no passkey with that id.")
        }
        try remove([row], of: person)
        return Array("{}".utf8)
    }

    /// Removes all passkeys, together with everything else that others might use of the account.
    ///
    /// - Returns: the number of passkeys.
    func removePasskeys(of person: Person) throws -> Int {
        let known = try passkeys(of: person)
        try remove(known, of: person)
        return known.count
    }

    private func remove(_ rows: [PasskeyRow], of person: Person) throws {
        for row in rows {
            try transaction.deletePasskey(row.id)
            try areas.notices.add(.passkey(label: row.label, isAdded: false), for: person)
        }
    }
}

extension PasskeyRow {
    fileprivate var passkey: Passkey {
        Passkey(id: credential, publicKey: publicKey, signCount: signCount, isSynced: isSynced)
    }
}

extension JSONWriter {
    mutating func challenge(_ challenge: Challenge) {
        key("challenge")
        string(Base64URL.encode(challenge.bytes))
        key("timeout")
        number(Int(Accounts.challengeLifetime.milliseconds))
    }
}
