import Authenticator
import Base64
import Contract
import JSON
import Store
import Tracking
import WebAuthn

/// A person's passkey, on a device outside the simulation.
final class SimulatedPasskey {
    var authenticator: Authenticator
    /// The credential that adds it.
    let credential: String
    /// The service's id for it, once known.
    var id: String?
    /// Whether its removal was confirmed to its owner.
    var isRemoved = false

    init(_ authenticator: Authenticator, credential: String) {
        (self.authenticator, self.credential) = (authenticator, credential)
    }
}

/// Passkeys that are created, used and removed.
extension SimulatedAccounts {
    static let party = RelyingParty(origin: "https://kith.example")

    /// Creates, adds or removes a passkey, or logs in with one, removed or not.
    func usePasskey() throws {
        let phones = world.phones.filter { phone in
            phone.account.password != nil && phone.account.change == nil && phone.isConnected
                && phone.isLoggedIn
        }
        let chance = world.chance
        guard let phone = chance.pick(phones), let password = phone.account.password else { return }
        guard let passkey = phone.account.passkeys.last, chance.happens(90) else {
            return phone.ask("account.passkey.begin", "", isNumbered: true)
        }
        if chance.happens(40), keyHolders.count < 12 {
            keyHolders.append(
                KeyHolder(world, passkey, of: phone, number: keyHolders.count + 1))
            return
        }
        if let id = passkey.id, chance.happens(50) {
            let isRight = chance.happens(80)
            return phone.ask(
                "account.passkey.remove",
                #""passkey":"\#(id)","password":"\#(isRight ? password : "wrong-wrong")""#,
                isNumbered: true)
        }
        let code = phone.account.code(at: world.wall).map { #","code":"\#($0)""# } ?? ""
        phone.ask(
            "account.passkey.add",
            #""credential":\#(passkey.credential),"password":"\#(password)"\#(code)"#,
            isNumbered: true)
    }

    func takePasskey(_ request: AskedRequest, _ answer: JSONValue, _ phone: Phone) {
        let result = answer["result"]
        switch request.method {
        case "account.passkey.begin":
            guard let options = result?["options"] else { return }
            make(options, for: phone)
        case "account.passkey.add":
            guard let id = result?["passkey"]?["passkey"]?.text else { return }
            passkey(request.fields["credential"]?["id"]?.text, of: phone)?.id = id
        case "account.passkey.remove":
            guard result != nil else { return }
            if request.fields["password"]?.text == "wrong-wrong" {
                world.oracles.fail("passwords", "\(phone.id): a wrong one was taken")
            }
            let id = request.fields["passkey"]?.text
            phone.account.passkeys.first { $0.id == id }?.isRemoved = true
        default: break
        }
    }

    private func passkey(_ credential: String?, of phone: Phone) -> SimulatedPasskey? {
        phone.account.passkeys.first { Base64URL.encode($0.authenticator.id) == credential }
    }

    private func make(_ options: JSONValue, for phone: Phone) {
        let seed = (0..<32).map { _ in UInt8(truncatingIfNeeded: world.chance.next()) }
        guard let challenge = options["challenge"]?.text.flatMap({ Base64URL.decode($0) }),
            let handle = options["user"]?["id"]?.text.flatMap({ Base64URL.decode($0) }),
            options["rp"]?["id"]?.text == SimulatedAccounts.party?.id,
            let party = SimulatedAccounts.party
        else { return world.oracles.fail("passkeys", "\(phone.id) cannot make one") }
        do {
            let authenticator = try Authenticator(seed: seed, userHandle: handle)
            let credential = authenticator.json(
                created: authenticator.create(challenge, for: party))
            phone.account.passkeys.append(
                SimulatedPasskey(authenticator, credential: credential))
        } catch {
            world.oracles.fail("passkeys", "a seed makes no key")
        }
    }

    /// Checks that removed passkeys have left nothing.
    func checkPasskeys() {
        for phone in world.phones {
            for passkey in phone.account.passkeys where passkey.isRemoved {
                let found = world.oracles.read { transaction -> PasskeyRow? in
                    try transaction.passkey(credential: passkey.authenticator.id)
                }
                if found ?? nil != nil {
                    world.oracles.fail("passkeys", "one of \(phone.user)'s is not removed")
                }
            }
        }
    }
}

/// A person who logs in with a passkey.
final class KeyHolder {
    private unowned let world: World
    private let passkey: SimulatedPasskey
    private let user: Name
    private var challenge: [UInt8]?
    /// Whether the passkey was removed before it signed.
    private var isLate = false
    private(set) var isDone = false
    private var guest: Guest?

    init(_ world: World, _ passkey: SimulatedPasskey, of phone: Phone, number: Int) {
        (self.world, self.passkey, user) = (world, passkey, phone.user)
        guest = Guest(world, "key-\(number)", address: "10.0.3.\(number)") {
            [unowned self] in take($0)
        }
    }

    func act() throws {
        guard !isDone else { return }
        guard let challenge, let party = SimulatedAccounts.party else {
            guest?.ask("account.passkey.challenge", "")
            return
        }
        isLate = passkey.isRemoved
        let answer = try passkey.authenticator.get(challenge, for: party)
        guest?.ask(
            "account.passkey.login",
            #""credential":\#(passkey.authenticator.json(got: answer)),"device":"key""#)
    }

    func pump(_ limit: Int) { guest?.pump(limit) }

    private func take(_ reply: JSONValue) {
        guard !isDone else { return }
        if let text = reply["result"]?["options"]?["challenge"]?.text {
            challenge = Base64URL.decode(text)
        } else if let token = reply["result"]?["token"]?.text {
            world.oracles.keepSecret(token)
            if isLate { world.oracles.fail("passkeys", "\(user) got in by one that is removed") }
            finish()
        } else if challenge != nil, reply["problem"] != nil {
            finish()
        }
    }

    private func finish() {
        isDone = true
        guest?.lose()
    }
}
