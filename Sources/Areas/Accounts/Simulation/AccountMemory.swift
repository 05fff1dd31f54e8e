import Contract
import JSON

/// A simulated person's knowledge of their password.
final class AccountMemory: PhoneMemory {
    /// The last confirmed password; nil for a person who never needed one.
    var password: String?
    /// The second factor's secrets that were reported, in order, in base32.
    var secrets: [String] = []
    /// The passkeys, in order of creation.
    var passkeys: [SimulatedPasskey] = []
    /// The change that is still unanswered.
    var change: Change?

    struct Change {
        let request: Int
        let password: String
        /// Whether the phone was logged out in between, so that an earlier answer may be lost.
        var isDoubtful = false
    }

    /// The passwords, one of which must be right.
    var candidates: [String] { [password, change?.password].compactMap { $0 } }

    init() {}
}

extension Phone {
    var account: AccountMemory { memory() }
}

extension SimulatedAccounts {
    /// Returns a new password, or makes an attempt with a wrong one.
    static func changePassword(_ phone: Phone) -> String? {
        let chance = phone.world.chance
        guard let password = phone.account.password, phone.account.change == nil else {
            return nil
        }
        if chance.happens(20) { return #""old":"\#(wrong)","new":"never-to-be-used""# }
        let ending = chance.happens(50) ? #","endOthers":true"# : ""
        return #""old":"\#(password)","new":"also-not-to-be-seen-#"\#(ending)"#
    }

    func asked(_ request: AskedRequest, by phone: Phone) {
        guard request.method == "account.password", let new = request.fields["new"]?.text,
            request.fields["old"]?.text != SimulatedAccounts.wrong
        else { return }
        world.oracles.keepSecret(new)
        phone.account.change = AccountMemory.Change(request: request.number, password: new)
    }

    static func deleteAccount(_ phone: Phone) -> String? {
        guard let password = phone.account.password, phone.account.change == nil else {
            return nil
        }
        let isRight = phone.world.chance.happens(75)
        return #""password":"\#(isRight ? password : wrong)""#
    }

    private static let wrong = "wrong-wrong"

    /// Records the outcome of a password change.
    func takeAnswer(to request: AskedRequest, _ answer: JSONValue, _ phone: Phone) {
        let isDone = answer["result"] != nil
        let given = request.fields["old"]?.text ?? request.fields["password"]?.text
        if isDone, given == SimulatedAccounts.wrong {
            world.oracles.fail("passwords", "\(phone.id): a wrong one was taken")
        }
        guard let change = phone.account.change, change.request == request.number else { return }
        if isDone {
            phone.account.password = change.password
            phone.account.change = nil
        } else if !change.isDoubtful {
            phone.account.change = nil
        }
    }
}
