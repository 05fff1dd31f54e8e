internal import Contract

/// Who asks for something, by what they showed. Whether it is true the broker says.
enum Visitor: Hashable, Sendable {
    case device(DeviceToken)
    case system(SystemToken)
    /// Nobody in particular; the number tells the connections apart that such people share.
    case guest(Int)

    /// - Parameter token: nil where it is no token at all.
    init?(token: some StringProtocol) {
        if let token = DeviceToken(token) {
            self = .device(token)
        } else if let token = SystemToken(token) {
            self = .system(token)
        } else {
            return nil
        }
    }

    /// What the broker is told.
    var credentials: (username: String, password: String)? {
        switch self {
        case .device(let token): (token.user.text, token.text)
        case .system(let token): (token.principal.rawValue, token.text)
        case .guest: nil
        }
    }

    /// - Parameter suffix: tells connections of the same visitor apart.
    func clientID(_ suffix: String) -> String {
        switch self {
        case .device(let token): "\(token.user).web.\(suffix)"
        case .system(let token): "\(token.principal.rawValue).web.\(suffix)"
        case .guest: "web-\(suffix)"
        }
    }
}
