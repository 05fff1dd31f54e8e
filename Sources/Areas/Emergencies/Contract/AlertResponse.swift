public import Tracking

/// A member's promise to help, as the group sees it.
public struct AlertResponse: Hashable, Sendable {
    public let user: Name
    public let name: String
    public let kind: HelperResponse.Kind
    public let at: Timestamp

    public init(user: Name, name: String, kind: HelperResponse.Kind, at: Timestamp) {
        (self.user, self.name, self.kind, self.at) = (user, name, kind, at)
    }

    /// The maximum number listed: the first to respond.
    public static let maximumNamed = 50
}

extension AlertResponse {
    static let payload = Payload<AlertResponse>(
        .init("user", .name) { $0.user },
        .init("name", .text) { $0.name },
        .init("kind", .choice) { $0.kind },
        .init("at", .time) { $0.at })
}
