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
        case .other(let token):
            (stored, rejected) = (nil, nil)
            switch token.principal {
            case .service(let service):
                replies = space.string(.serviceReplies(service, suffix: "/web"))
            case .system(.operator): replies = space.string(.operatorReplies(suffix: "/web"))
            case .guest, .device, .bearer, .system: replies = ""
            }
            system =
                visitor.system == nil
                ? [] : [space.string(.metric("+")), space.string(.systemStatus)]
        case .spectators: (replies, stored, rejected, system) = ("", nil, nil, [])
        }
    }

    /// Nil if the visitor cannot make requests.
    func request(_ method: String) -> String? {
        switch visitor {
        case .device(let token):
            space.string(.request(token.user, device: token.device, method: method))
        case .guest: client.map { space.string(.guestRequest($0, method: method)) }
        case .other(let token):
            switch token.principal {
            case .service(let service):
                space.string(.serviceRequest(service, method: method))
            case .system(.operator): space.string(.operatorRequest(method: method))
            case .guest, .device, .bearer, .system: nil
            }
        case .spectators: nil
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
