import Bridge
import Contract
import JSON
import Store
import Tracking

/// A person who forgot the password, and sets another one with the operator's link.
final class Recoverer {
    private unowned let world: World
    private let phone: Phone
    private let link: AccountLink
    private let password: String
    private(set) var isDone = false
    /// Whether the link is still to be tried where it is not valid.
    private var isCurious = true
    /// Whether the link is used and tried once more, as by a person who found it.
    private var isSpent = false
    private var guest: Guest?
    /// The guest that first requests a link by mail.
    private var asking: Guest?

    /// - Parameter phone: its owner has known the right password until now.
    init(_ world: World, _ phone: Phone, number: Int) throws {
        (self.world, self.phone) = (world, phone)
        var chance = world.chance
        link = AccountLink(.password, using: &chance)
        password = "recovered-\(phone.user)-\(number)"
        world.oracles.keepSecret(password)
        world.oracles.keepSecret(link.token)
        try world.operate(.inviteUser(phone.user, hash: link.hash))
        // From the first attempt on it may be the right password, whatever the answer.
        phone.account.change = AccountMemory.Change(
            request: 0, password: password, isDoubtful: true)
        guest = Guest(world, "forgetful-\(number)", address: "10.0.2.\(number)") {
            [unowned self] in take($0)
        }
        asking = Guest(world, "asking-\(number)", address: "10.0.3.\(number)") {
            [unowned self] in takeAnswer($0)
        }
    }

    /// Checks that the answer reveals nothing.
    private func takeAnswer(_ reply: JSONValue) {
        if let result = reply["result"], result != .object([]) {
            world.oracles.fail("links", "a request for a link reveals something")
        }
        asking?.lose()
        asking = nil
    }

    func isOwner(of phone: Phone) -> Bool { self.phone === phone }

    func act() {
        guard !isDone else { return }
        if let asking { return asking.ask("account.forgot", #""login":"\(phone.user)""#) }
        if isCurious { return guest?.ask("account.verify", #""token":"\#(link.token)""#) ?? () }
        let password = isSpent ? stolen : password
        let ending = world.chance.happens(50) ? "" : #","endOthers":false"#
        guest?.ask(
            "account.recover", #""token":"\#(link.token)","password":"\#(password)"\#(ending)"#)
    }

    func pump(_ limit: Int) {
        asking?.pump(limit)
        guest?.pump(limit)
    }

    private func take(_ reply: JSONValue) {
        guard !isDone else { return }
        if isCurious {
            isCurious = false
            if reply["result"] == nil { return }
            world.oracles.fail("links", "an address was verified with a link for a password")
        }
        if isSpent {
            if isStored(stolen) { world.oracles.fail("links", "a link worked twice") }
            isDone = true
            guest?.lose()
        } else if reply["result"] != nil || isStored(password) {
            // It was answered now, or an earlier attempt succeeded.
            isSpent = true
            phone.account.password = password
            phone.account.change = nil
        }
    }

    private var stolen: String { "stolen-\(password)" }

    private func isStored(_ text: String) -> Bool {
        guard let hash = storedHash, let typed = Password(text) else { return false }
        do {
            return try hash.matches(typed)
        } catch {
            world.oracles.fail("passwords", "a hash cannot be checked")
            return false
        }
    }

    private var storedHash: PasswordHash? {
        let text = world.oracles.read { transaction -> String? in
            guard let user = try transaction.user(self.phone.user) else { return nil }
            return try transaction.passwordHash(of: user.id)
        }
        return (text ?? nil).flatMap { PasswordHash($0) }
    }
}
