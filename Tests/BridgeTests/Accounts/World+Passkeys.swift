import Authenticator
import Base64
import Contract
import JSON
import Testing
import Tracking
import WebAuthn

@testable import Bridge

/// Carol, with a phone, on a service with passkeys.
extension World {
    static let party: RelyingParty = {
        guard let party = RelyingParty(origin: "https://kith.example") else {
            preconditionFailure("browsers allow passkeys there")
        }
        return party
    }()

    static let notAsked =
        "invalid: credential was not requested, or too long ago: begin again"

    static let seed = [UInt8](repeating: 7, count: 32)

    static func withPasskeys() throws -> World {
        var settings = BridgeSettings()
        settings.channels.page = party.origin
        let world = try World(settings)
        try world.register()
        try world.token()
        return world
    }

    static func bytes(_ value: JSONValue?) throws -> [UInt8] {
        let text = try #require(value?.text)
        return try #require(Base64URL.decode(text))
    }

    static func text(_ bytes: [UInt8]) -> String { Base64URL.encode(bytes) }

    /// Carol's authenticator.
    func makeKey(_ number: UInt8 = 7) throws -> Authenticator {
        let options = try ask("carol", "account.passkey.begin")["result"]?["options"]
        return try Authenticator(
            seed: [UInt8](repeating: number, count: 32),
            userHandle: try World.bytes(options?["user"]?["id"]))
    }

    /// Its answer to a new challenge.
    func created(by key: inout Authenticator) throws -> String {
        let options = try ask("carol", "account.passkey.begin")["result"]?["options"]
        let challenge = try World.bytes(options?["challenge"])
        return key.json(created: key.create(challenge, for: World.party))
    }

    /// - Parameter fields: additional ones, each followed by a comma.
    @discardableResult
    func addPasskey(
        _ key: inout Authenticator, _ fields: String = "", password: String = "correct horse"
    ) throws -> JSONValue {
        try addPasskey(try created(by: &key), fields, password: password)
    }

    func addPasskey(_ credential: String, _ fields: String = "", password: String = "correct horse")
        throws
        -> JSONValue
    {
        try ask(
            "carol", "account.passkey.add",
            #"{"credential":\#(credential),\#(fields)"password":"\#(password)"}"#)
    }

    func passkeys() throws -> [JSONValue] {
        try ask("carol", "account.passkey.list")["result"]?["passkeys"]?.elements ?? []
    }

    func removePasskey(_ id: String, password: String = "correct horse") throws -> String {
        try outcome(
            "carol", "account.passkey.remove", #"{"passkey":"\#(id)","password":"\#(password)"}"#)
    }

    // MARK: Logging in

    func passkeyChallenge() throws -> [UInt8] {
        let reply = try askAsGuest("account.passkey.challenge", "{}")
        return try World.bytes(reply["result"]?["options"]?["challenge"])
    }

    func signed(_ challenge: [UInt8], by key: inout Authenticator) throws -> String {
        key.json(got: try key.get(challenge, for: World.party))
    }

    func logIn(by key: inout Authenticator) throws -> JSONValue {
        let credential = try signed(try passkeyChallenge(), by: &key)
        return try askAsGuest(
            "account.passkey.login", #"{"credential":\#(credential),"device":"tablet"}"#)
    }

    func logInByPasskey(_ credential: String, from guest: String = "mosq-1") throws -> String {
        try askAsGuest(
            "account.passkey.login", #"{"credential":\#(credential),"device":"tablet"}"#,
            from: guest
        ).outcome
    }

    /// - Returns: the recovery codes.
    @discardableResult
    func turnOnSecondFactor() throws -> [String] {
        let reply = try ask("carol", "account.totp.start", #"{"password":"correct horse"}"#)
        let text = try #require(reply["result"]?["secret"]?.text)
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        let bits = text.flatMap { letter -> [UInt8] in
            let value = alphabet.firstIndex(of: letter) ?? 0
            return (0..<5).map { UInt8(value >> (4 - $0) & 1) }
        }
        let secret = stride(from: 0, to: bits.count - bits.count % 8, by: 8).map { place in
            bits[place..<place + 8].reduce(0) { $0 << 1 | $1 }
        }
        let code = TimeCode.code(secret, step: TimeCode.step(at: now))
        let codes = try ask("carol", "account.totp.confirm", #"{"code":"\#(code)"}"#)
        return (codes["result"]?["recoveryCodes"]?.elements ?? []).compactMap(\.text)
    }
}
