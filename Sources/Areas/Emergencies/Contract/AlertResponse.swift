internal import JSON
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

extension JSONWriter {
    /// Writes a member, if there are any.
    mutating func responses(_ responses: [AlertResponse]) {
        guard !responses.isEmpty else { return }
        key("responses")
        array(responses) { json, response in
            json.object { json in
                json.member("user", response.user.text)
                json.member("name", response.name)
                json.member("kind", response.kind.rawValue)
                json.member("at", response.at)
            }
        }
    }
}
