import Contract
import JSON
import Tracking

/// A person who registers, logs in and then has a phone, or who was logged out and logs in again.
final class Visitor {
    private unowned let world: World
    private let user: Name
    private let password: String
    private var isRegistered = false
    /// Whether a health check must succeed first, as for a monitor.
    private var isCareful: Bool
    private(set) var isDone = false
    /// The phone that was logged out.
    private let phone: Phone?
    private var guest: Guest?

    init?(_ world: World, number: Int) {
        guard let user = Name("guest\(number)") else { return nil }
        self.world = world
        self.user = user
        password = "not-to-be-seen-\(number)"
        phone = nil
        isCareful = number == 3
        world.oracles.keepSecret(password)
        guest = Guest(world, "visitor-\(number)", address: "10.0.1.\(number)") {
            [unowned self] in take($0)
        }
    }

    /// - Parameter password: confirmed, as the phone's owner knows.
    init(_ world: World, returning phone: Phone, password: String) {
        self.world = world
        self.phone = phone
        self.password = password
        user = phone.user
        isRegistered = true
        isCareful = false
        guest = Guest(world, "returning-\(user)", address: "10.0.1.100") {
            [unowned self] in take($0)
        }
    }

    func isReturning(_ phone: Phone) -> Bool { self.phone === phone }

    func act() {
        guard !isDone else { return }
        if isCareful {
            guest?.ask("system.health", "")
        } else if isRegistered {
            let code = phone?.account.code(at: world.wall).map { #","code":"\#($0)""# } ?? ""
            guest?.ask(
                "account.login",
                #""login":"\#(user)","password":"\#(password)","device":"phone"\#(code)"#)
        } else {
            guest?.ask(
                "account.register",
                #""username":"\#(user)","email":"\#(user)@example.org","#
                    + #""password":"\#(password)","firstName":"G","lastName":"X","#
                    + #""acceptTerms":true"#)
        }
    }

    func pump(_ limit: Int) { guest?.pump(limit) }

    private func take(_ reply: JSONValue) {
        // The answer to a repeated attempt may arrive after a token.
        guard !isDone else { return }
        if reply["result"]?["storing"] != nil { return isCareful = false }
        if let text = reply["result"]?["token"]?.text, let token = DeviceToken(text) {
            return use(token, text)
        }
        let isRefused = reply["problem"]?["type"]?.text == "urn:kith:problem:wrong-credentials"
        if phone == nil {
            // If the name is taken, an earlier attempt to register succeeded.
            isRegistered = !isRefused
        } else if isRefused, let phone {
            isDone = true
            // By now the account may be gone, its password changed, or the code used.
            if world.oracles.access[user] != nil, phone.account.candidates == [password],
                phone.account.secrets.isEmpty
            {
                world.oracles.fail("passwords", "\(user) is refused with the right one")
            }
        }
    }

    private func use(_ token: DeviceToken, _ text: String) {
        isDone = true
        world.oracles.keepSecret(text)
        if let phone {
            phone.token = token
        } else {
            let phone = Phone(world, user, token.device, KithApp.numbering, isPersistent: true)
            phone.token = token
            phone.account.password = password
            world.add(phone)
        }
        guest?.lose()
    }
}
