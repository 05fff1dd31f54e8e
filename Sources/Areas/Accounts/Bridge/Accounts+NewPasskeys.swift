import Base64
import Contract
import JSON
import Store
import Tracking
import WebAuthn

/// Adding passkeys.
extension Accounts {
    /// Returns the creation options for a passkey. The authenticator shows the owner's name; the
    /// handle by which it knows them reveals nothing.
    func beginPasskey(of person: Person) throws -> [UInt8] {
        let party = try offeredParty()
        let known = try passkeys(of: person)
        try checkRoom(known)
        let handle = try handle(of: person)
        let challenge = try challenge(for: adding(person))
        return JSONWriter.object { json in
            json.key("options")
            json.object { json in
                json.challenge(challenge)
                json.key("rp")
                json.object { json in
                    json.key("id")
                    json.string(party.id)
                    json.key("name")
                    json.string("Kith")
                }
                json.key("user")
                json.object { json in
                    json.key("id")
                    json.string(Base64URL.encode(handle))
                    json.key("name")
                    json.string(person.name.text)
                    json.key("displayName")
                    json.string(person.displayName)
                }
                json.key("pubKeyCredParams")
                json.array(PublicKey.algorithms) { json, algorithm in
                    json.object { json in
                        json.key("type")
                        json.string("public-key")
                        json.key("alg")
                        json.number(Int(algorithm))
                    }
                }
                json.key("excludeCredentials")
                json.array(known) { json, passkey in
                    json.object { json in
                        json.key("type")
                        json.string("public-key")
                        json.key("id")
                        json.string(Base64URL.encode(passkey.credential))
                    }
                }
                json.key("authenticatorSelection")
                json.object { json in
                    json.key("residentKey")
                    json.string("required")
                    json.key("requireResidentKey")
                    json.bool(true)
                    json.key("userVerification")
                    json.string("required")
                }
                json.key("attestation")
                json.string("none")
            }
        }
    }

    private func handle(of person: Person) throws -> [UInt8] {
        if let known = try transaction.passkeyHandle(of: person.id) { return known.handle }
        let handle = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next() >> 56) }
        try transaction.insertPasskeyHandle(handle, of: person.id)
        return handle
    }

    /// Verifies a new passkey, before the password is checked.
    func verify(_ addition: PasskeyAddition, of person: Person) throws -> NewPasskey {
        let party = try offeredParty()
        guard let (client, challenge) = try asked(addition.clientData, for: adding(person)) else {
            throw Accounts.refused(Accounts.notAsked)
        }
        do throws(WebAuthnError) {
            return NewPasskey(
                passkey: try Passkey(
                    attestation: addition.attestation, client, challenge: challenge.bytes,
                    for: party),
                label: addition.label?.text ?? PasskeyMessage.label, code: addition.code,
                challengeAt: Timestamp(milliseconds: challenge.madeAt))
        } catch {
            throw Accounts.refused("does not match the request")
        }
    }

    /// Adds the passkey after the password check. A passkey logs in without a code, so adding one
    /// requires a code if there is a second factor: the password alone must not disable that.
    func add(_ new: NewPasskey, of person: Person) throws -> [UInt8] {
        try checkRoom(try passkeys(of: person))
        let isKnown = try transaction.passkey(credential: new.passkey.id) != nil
        guard !isKnown else { throw Accounts.refused("is already added") }
        let last = try transaction.passkeyHandle(of: person.id)?.challengeAt
        guard let last, isNext(new.challengeAt, after: last) else {
            throw Accounts.refused(Accounts.notAsked)
        }
        if try hasSecondFactor(person) {
            guard let code = new.code else { throw Accounts.needsCode }
            try check(code, of: person)
        }
        let row = PasskeyRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), user: person.id,
            credential: new.passkey.id, publicKey: new.passkey.publicKey,
            signCount: new.passkey.signCount, isSynced: new.passkey.isSynced, label: new.label,
            addedAt: now, challengeAt: new.challengeAt)
        try transaction.insert(row)
        try transaction.noteAddition(to: new.challengeAt, by: person.id)
        try areas.notices.add(.passkey(label: row.label, isAdded: true), for: person)
        return AccountResult.passkey.bytes(of: row.message)
    }

    private func checkRoom(_ known: [PasskeyRow]) throws {
        let limit = BridgeSettings.maximumPasskeys
        guard known.count < limit else {
            throw Problem(.tooMany, "A user may have at most \(limit) passkeys; remove one.")
        }
    }

    private static let notAsked = "was not requested, or too long ago: begin again"

    private static func refused(_ reason: String) -> Problem {
        Problem(invalid: [.init(field: "credential", reason: reason)])
    }
}

/// A verified passkey that awaits the password check.
struct NewPasskey: Sendable {
    let passkey: Passkey
    let label: String
    let code: SecondFactorCode?
    let challengeAt: Timestamp
}
