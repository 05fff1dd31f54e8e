import Base64
import Bridge
import Contract
import JSON
import Store
import Tracking

/// People who register, log in and out, change their passwords and leave.
final class SimulatedAccounts: SimulatedArea {
    unowned let world: World
    private var visitors: [Visitor] = []
    private var recoverers: [Recoverer] = []
    var keyHolders: [KeyHolder] = []
    private var invited = 0

    init(_ world: World) { self.world = world }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(2, "account.get"), Ask(1, "account.export"),
            Ask(1, "account.update") { _ in #""firstName":"F#""# }, Ask(2, "account.logout"),
            Ask(3, "account.update") { _ in #""phone":"+386 1 234 567","language":"de""# },
            Ask(1, "account.update") { _ in #""phone":null,"avatar":"\#(picture)""# },
            Ask(2, "avatar.get") { #""user":"\#($0.somebody)""# },
            Ask(9, "account.password", changePassword), Ask(5, "account.delete", deleteAccount),
            Ask(1, "account.passkey.list"), Ask(1, "device.list"),
            Ask(1, "device.revoke") { _ in #""device":"watch""# },
            Ask(1, "device.remove") { _ in #""device":"watch""# },
            Ask(1, "device.carry") { _ in #""device":"watch""# },
            Ask(1, "account.accept") { _ in #""version":"1""# },
        ]
    }

    private static let picture = Base64.encode([UInt8](repeating: 7, count: Avatar.size))

    var events: [(weight: Int, choice: () throws -> Void)] {
        [
            (1, { self.invite() }), (loggedOut.isEmpty ? 0 : 8, { self.letReturn() }),
            (6, { self.world.chance.pick(self.visitors.filter { !$0.isDone })?.act() }),
            (1, { try self.intervene() }), (1, { try self.forget() }),
            (3, { self.useSecondFactor() }), (8, { try self.usePasskey() }),
            (6, { try self.world.chance.pick(self.keyHolders.filter { !$0.isDone })?.act() }),
            (6, { self.world.chance.pick(self.recoverers.filter { !$0.isDone })?.act() }),
        ]
    }

    private func invite() {
        guard invited < 3, let visitor = Visitor(world, number: invited + 1) else { return }
        invited += 1
        visitors.append(visitor)
    }

    /// Lets a person forget the password and request the operator's link.
    private func forget() throws {
        let phones = world.phones.filter { phone in
            phone.account.password != nil && phone.account.change == nil
                && world.oracles.access[phone.user] != nil
                && !visitors.contains { !$0.isDone && $0.isReturning(phone) }
        }
        guard recoverers.count < 3, let phone = world.chance.pick(phones) else { return }
        recoverers.append(try Recoverer(world, phone, number: recoverers.count + 1))
    }

    /// The phones of people who were logged out and know the right password.
    private var loggedOut: [Phone] {
        world.phones.filter { phone in
            phone.account.password != nil && phone.account.change == nil && !phone.isLoggedIn
                && world.oracles.access[phone.user] != nil
                && !visitors.contains { !$0.isDone && $0.isReturning(phone) }
        }
    }

    private func letReturn() {
        guard let phone = world.chance.pick(loggedOut), let password = phone.account.password
        else { return }
        visitors.append(Visitor(world, returning: phone, password: password))
    }

    /// Acts as the operator.
    private func intervene() throws {
        guard let phone = world.chance.pick(world.phones) else { return }
        if world.chance.happens(80) {
            if !phone.isLoggedIn { try world.giveToken(phone) }
        } else if world.chance.onceIn(4), phone.user.text == "ben" {
            try world.operate(.removeUser(phone.user))
        }
    }

    func pump(all: Bool) {
        for visitor in visitors { visitor.pump(all ? 100 : world.chance.number(0...3)) }
        for recoverer in recoverers { recoverer.pump(all ? 100 : world.chance.number(0...3)) }
        for holder in keyHolders { holder.pump(all ? 100 : world.chance.number(0...3)) }
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets { Targets(filters: ["kith/guests/#"]) }

    static var adversaryAsks: [Ask<Adversary>] {
        [Ask(1, "account.export"), Ask(1, "account.get"), Ask(1, "device.list")]
    }

    static var adversaryGuestAsks: [Ask<Adversary>] {
        [
            Ask(1, "account.register") { _ in
                #""username":"fake#","email":"fake#@example.org","password":"nobody-knows","#
                    + #""firstName":"F","lastName":"X","acceptTerms":true"#
            },
            Ask(1, "account.login") { adversary in
                #""login":"\#(adversary.user)","password":"nobody-knows","device":"phone""#
            },
            Ask(1, "account.forgot") { adversary in #""login":"\(adversary.user)""# },
            Ask(1, "account.recover") { _ in #""token":"\#(noLink)","password":"nobody-knows""# },
            Ask(1, "account.verify") { _ in #""token":"\#(noLink)""# },
            Ask(1, "account.passkey.challenge"),
        ]
    }

    /// The secret of a link that does not exist.
    private static let noLink = String(repeating: "A", count: 43)

    // MARK: Oracles

    func answered(_ request: AskedRequest, _ answer: JSONValue, to phone: Phone) {
        switch request.method {
        case "account.password", "account.delete": takeAnswer(to: request, answer, phone)
        case "account.totp.start", "account.totp.confirm":
            takeSecondFactor(request, answer, phone)
        case "account.passkey.begin", "account.passkey.add", "account.passkey.remove":
            takePasskey(request, answer, phone)
        case "account.get":
            guard let user = answer["result"]?["user"]?.text, user != phone.user.text else {
                return
            }
            world.oracles.fail("answers", "\(phone.id) receives another account's data")
        case "device.list":
            guard let devices = answer["result"]?["devices"]?.elements else { return }
            let current = devices.filter { $0["current"] == .bool(true) }
            if current.compactMap({ $0["device"]?.text }) != [phone.device.text] {
                world.oracles.fail("answers", "\(phone.id) is described as another device")
            }
        default: break
        }
    }

    func rightsChanged(_ users: [(Name, UserAccess?)], in transaction: Transaction)
        throws(StoreError)
    {
        for phone in world.phones where phone.account.change != nil && !phone.isLoggedIn {
            phone.account.change?.isDoubtful = true
        }
    }

    /// Whether the topic may carry secrets: a token is sent to the client that logged in.
    func maySaySecrets(on topic: Topic) -> Bool {
        if case .guestReplies = topic { return true }
        return false
    }

    /// Checks that the confirmed passwords are those that log people in.
    func checkRest() throws {
        checkSecondFactors()
        checkPasskeys()
        for phone in world.phones where phone.account.password != nil {
            let stored = world.oracles.read { transaction -> String? in
                guard let user = try transaction.user(phone.user) else { return nil }
                return try transaction.passwordHash(of: user.id)
            }
            guard let text = stored ?? nil, let hash = PasswordHash(text) else { continue }
            let isOneRight = try phone.account.candidates.contains {
                guard let password = Password($0) else { return false }
                return try hash.matches(password)
            }
            if !isOneRight {
                world.oracles.fail("passwords", "\(phone.user) has another than was confirmed")
            }
        }
    }

    static var canaries: [Canary] { [forgetPassword, keepLink, keepPasskey] }

    /// Bug: a removed passkey still logs in, and an account with one cannot be erased.
    private static var keepPasskey: Canary {
        Canary("keepPasskey", foundBy: "passkeys", "shadow", "rest") { attempted in
            attempted.sql.hasPrefix("DELETE FROM passkeys") ? .skipped : nil
        }
    }

    /// Bug: a used link stays valid.
    private static var keepLink: Canary {
        Canary("keepLink", foundBy: "links") { attempted in
            attempted.sql.hasPrefix("DELETE FROM account_links") ? .skipped : nil
        }
    }

    /// Bug: a new password is not stored.
    private static var forgetPassword: Canary {
        Canary("forgetPassword", foundBy: "passwords") { attempted in
            attempted.sql.hasPrefix("UPDATE users SET password_hash") ? .skipped : nil
        }
    }
}
