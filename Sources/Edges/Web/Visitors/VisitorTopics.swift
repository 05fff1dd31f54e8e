internal import Contract

/// The visitor's own topics, which a visitor connection needs to work.
struct VisitorTopics {
    let space: TopicSpace
    private let visitor: Visitor
    private let client: ClientID?
    let replies: String
    let stored: String?
    let rejected: String?
    /// The topics of the operator and the monitoring account: the metrics, and then the bridge's
    /// status.
    let system: [String]

    init(_ visitor: Visitor, _ space: TopicSpace, clientID: String) {
        self.space = space
        self.visitor = visitor
        client = ClientID(clientID)
        switch visitor {
        case .device(let token):
            let (user, device) = (token.user, token.device)
            replies = space.string(.replies(user, device: device, suffix: "/web"))
            stored = space.string(.stored(user, device: device))
            rejected = space.string(.rejected(user, device: device))
            system = []
        case .guest:
            replies = client.map { space.string(.guestReplies($0, suffix: "")) } ?? ""
            stored = nil
            rejected = nil
            system = []
        case .service(let token):
            replies = space.string(.serviceReplies(token.service, suffix: "/web"))
            (stored, rejected, system) = (nil, nil, [])
        case .viewer, .spectators:
            (replies, stored, rejected, system) = ("", nil, nil, [])
        case .system(let token):
            replies =
                token.principal == .operator ? space.string(.operatorReplies(suffix: "/web")) : ""
            stored = nil
            rejected = nil
            system = [space.string(.metric("+")), space.string(.systemStatus)]
        }
    }

    /// Nil if the visitor cannot make requests.
    func request(_ method: String) -> String? {
        switch visitor {
        case .device(let token):
            space.string(.request(token.user, device: token.device, method: method))
        case .guest: client.map { space.string(.guestRequest($0, method: method)) }
        case .service(let token):
            space.string(.serviceRequest(token.service, method: method))
        case .system(let token):
            token.principal == .operator ? space.string(.operatorRequest(method: method)) : nil
        case .viewer, .spectators: nil
        }
    }

    /// Nil if the visitor has no device.
    var fix: String? {
        guard case .device(let token) = visitor else { return nil }
        return space.string(.fix(token.user, device: token.device))
    }

    var own: [String] {
        [replies, stored, rejected].compactMap { $0 }.filter { !$0.isEmpty } + system
    }
}
