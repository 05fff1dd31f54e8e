import Contract
import TestSupport

/// A device as the tests name it: `alice/watch`, or `alice` for Alice's phone.
struct Sender: Hashable, ExpressibleByStringLiteral {
    let user: Name
    let device: Name

    init(_ text: some StringProtocol) {
        let parts = text.split(separator: "/")
        guard let user = parts.first.flatMap({ Name($0) }),
            let device = parts.count == 2 ? Name(parts[1]) : "phone"
        else { preconditionFailure("\(text) is nobody's device") }
        self.user = user
        self.device = device
    }

    init(stringLiteral text: String) { self.init(text) }
}
