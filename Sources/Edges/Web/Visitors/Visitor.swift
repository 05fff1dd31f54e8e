internal import Contract

/// The sender of a request, by the credentials shown. The broker verifies them.
enum Visitor: Hashable, Sendable {
    case device(DeviceToken)
    /// Another principal that uses the page: a service, a link's viewer, a part of the
    /// installation.
    case other(PrincipalToken)
    /// An anonymous visitor; the number identifies one of the connections that guests share.
    case guest(Int)
    /// All spectators of runs, who see the same.
    case spectators

    /// - Parameter token: the result is nil if it is not a token for the page.
    init?(token: some StringProtocol) {
        if let token = DeviceToken(token) {
            self = .device(token)
        } else if let token = PrincipalToken(token), token.principal.row.usesPage {
            self = .other(token)
        } else {
            return nil
        }
    }

    /// The page itself, for health queries: a guest with a connection of its own.
    static let health = Visitor.guest(-1)

    /// The part of the installation that it is; nil for others.
    var system: Principal.System? {
        guard case .other(let token) = self, case .system(let system) = token.principal
        else { return nil }
        return system
    }

    /// The credentials for the broker.
    var credentials: (username: String, password: String)? {
        switch self {
        case .device(let token): (token.user.text, token.text)
        case .other(let token): (token.username, token.text)
        case .guest, .spectators: nil
        }
    }

    /// - Parameter suffix: distinguishes connections of the same visitor.
    func clientID(_ suffix: String) -> String {
        credentials.map { "\($0.username).web.\(suffix)" } ?? "web-\(suffix)"
    }
}
