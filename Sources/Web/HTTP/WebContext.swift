internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// What is known of a request besides itself.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Of the other end of the connection.
    let peer: String

    init(source: Source) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? ""
    }
}

/// Whose request it is.
struct Caller: Sendable {
    var visitor: Visitor
    /// Whether a browser sent its cookie, perhaps at the wish of another site.
    var byCookie: Bool
}

extension Request {
    /// By whom it was sent: the last proxy's word, where there is one.
    func address(_ context: WebContext, behindProxy: Bool) -> NetworkAddress {
        let told = behindProxy ? headers[.forwardedFor]?.split(separator: ",").last : nil
        let text = told.map { $0.filter { $0 != " " } } ?? context.peer
        return NetworkAddress(text)
    }

    /// - Parameter demo: the token of who watches the demo, where there is one.
    /// - Throws: ``Refusal/notLoggedIn`` for a token that is none; nil where there is none.
    func caller(_ cookie: SessionCookie, demo: DeviceToken?) throws(Refusal) -> Caller? {
        if let field = headers[.authorization] {
            let parts = field.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "bearer",
                let visitor = Visitor(token: parts[1])
            else { throw .notLoggedIn }
            return Caller(visitor: visitor, byCookie: false)
        }
        guard let text = cookie.token(in: self) else { return nil }
        if let demo, text == SessionCookie.demo {
            return Caller(visitor: .device(demo), byCookie: true)
        }
        guard let visitor = Visitor(token: text) else { throw .notLoggedIn }
        return Caller(visitor: visitor, byCookie: true)
    }
}

extension HTTPField.Name {
    static let forwardedFor = unchecked("X-Forwarded-For")
    /// Whom a page shows.
    static let user = unchecked("Kith-User")
    static let fetchSite = unchecked("Sec-Fetch-Site")
    static let lastEventID = unchecked("Last-Event-ID")

    static func unchecked(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("it is a name") }
        return name
    }
}
