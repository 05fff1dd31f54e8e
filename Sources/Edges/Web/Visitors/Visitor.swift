internal import Contract

/// The sender of a request, by the credentials shown. The broker verifies them.
enum Visitor: Hashable, Sendable {
    case device(DeviceToken)
    case system(SystemToken)
    /// A viewer of a link that shows where a user is.
    case viewer(ViewerToken)
    /// A company's service.
    case service(ServiceToken)
    /// An anonymous visitor; the number identifies one of the connections that guests share.
    case guest(Int)
    /// All spectators of runs, who see the same.
    case spectators

    /// - Parameter token: the result is nil if it is not a token.
    init?(token: some StringProtocol) {
        if let token = DeviceToken(token) {
            self = .device(token)
        } else if let token = SystemToken(token) {
            self = .system(token)
        } else if let token = ViewerToken(token) {
            self = .viewer(token)
        } else if let token = ServiceToken(token) {
            self = .service(token)
        } else {
            return nil
        }
    }

    /// The page itself, for health queries: a guest with a connection of its own.
    static let health = Visitor.guest(-1)

    /// The credentials for the broker.
    var credentials: (username: String, password: String)? {
        switch self {
        case .device(let token): (token.user.text, token.text)
        case .system(let token): (token.principal.rawValue, token.text)
        case .viewer(let token): (token.username, token.text)
        case .service(let token): (token.username, token.text)
        case .guest, .spectators: nil
        }
    }

    /// - Parameter suffix: distinguishes connections of the same visitor.
    func clientID(_ suffix: String) -> String {
        switch self {
        case .device(let token): "\(token.user).web.\(suffix)"
        case .system(let token): "\(token.principal.rawValue).web.\(suffix)"
        case .viewer(let token): "\(token.username).web.\(suffix)"
        case .service(let token): "\(token.username).web.\(suffix)"
        case .guest, .spectators: "web-\(suffix)"
        }
    }
}
