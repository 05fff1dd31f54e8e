import Contract
import JSON
import Store
import Tracking

/// Codes in addition to the password.
extension SimulatedAccounts {
    /// Sets up, turns on or turns off a second factor.
    func useSecondFactor() {
        let phones = world.phones.filter { phone in
            phone.account.password != nil && phone.account.change == nil && phone.isConnected
                && phone.isLoggedIn
        }
        guard let phone = world.chance.pick(phones), let password = phone.account.password
        else { return }
        guard let code = phone.account.code(at: world.wall), world.chance.happens(80) else {
            return phone.ask(
                "account.totp.start", #""password":"\#(password)""#, isNumbered: true)
        }
        if world.chance.happens(60) {
            phone.ask("account.totp.confirm", #""code":"\#(code)""#, isNumbered: true)
        } else {
            phone.ask(
                "account.totp.stop", #""password":"\#(password)","code":"\#(code)""#,
                isNumbered: true)
        }
    }

    /// Records the secrets and codes that the app receives.
    func takeSecondFactor(_ request: AskedRequest, _ answer: JSONValue, _ phone: Phone) {
        let memory = phone.account
        switch request.method {
        case "account.totp.start":
            guard let text = answer["result"]?["secret"]?.text else { return }
            memory.secrets.append(text)
        case "account.totp.confirm":
            guard let codes = answer["result"]?["recoveryCodes"]?.elements else { return }
            if codes.count != RecoveryCode.count {
                world.oracles.fail("second factor", "\(phone.id) got \(codes.count) codes")
            }
        default: break
        }
    }

    /// Checks that no owner is locked out: an active secret was reported to its owner.
    func checkSecondFactors() {
        for phone in world.phones where phone.account.password != nil {
            let found = world.oracles.read { transaction -> SecondFactorRow? in
                guard let user = try transaction.user(phone.user) else { return nil }
                return try transaction.secondFactor(of: user.id)
            }
            guard let row = found ?? nil, row.confirmedAt != nil else { continue }
            if !phone.account.secrets.contains(TimeCode.text(of: row.secret)) {
                world.oracles.fail("second factor", "\(phone.user) cannot know the secret")
            }
        }
    }
}

extension AccountMemory {
    /// Returns the app's code for the last secret it received.
    func code(at now: Timestamp) -> String? {
        secrets.last.map {
            TimeCode.code(AccountMemory.bytes($0), step: TimeCode.step(at: now))
        }
    }

    /// Reads base32 (RFC 4648, 6), as an app does.
    private static func bytes(_ text: String) -> [UInt8] {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
        var (bytes, bits, count) = ([UInt8](), UInt32(0), 0)
        for letter in text {
            (bits, count) = (bits << 5 | UInt32(alphabet.firstIndex(of: letter) ?? 0), count + 5)
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> count))
        }
        return bytes
    }
}
