internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// A request's context, beyond its contents.
struct WebContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The address of the peer.
    let peer: String
    /// The connection.
    let channel: any NIOCore.Channel

    init(source: Source) {
        channel = source.channel
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress?.ipAddress ?? ""
    }
}

/// The sender of a request.
struct Caller: Sendable {
    var visitor: Visitor
    /// Whether the request was authenticated by a cookie, so that another site may have caused it.
    var byCookie: Bool
}

extension Request {
    /// The sender's address: behind a proxy, the one that the last proxy reports.
    func address(_ context: WebContext, behindProxy: Bool) -> NetworkAddress {
        let told = behindProxy ? headers[.forwardedFor]?.split(separator: ",").last : nil
        let text = told.map { $0.filter { $0 != " " } } ?? context.peer
        return NetworkAddress(text)
    }

    /// - Parameter demo: the token with which visitors watch the demo, if any.
    /// - Returns: nil if the request has no token.
    /// - Throws: ``Refusal/notLoggedIn`` if the token is malformed.
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
    /// The user that the page shows.
    static let user = unchecked("Kith-User")
    static let fetchSite = unchecked("Sec-Fetch-Site")
    static let lastEventID = unchecked("Last-Event-ID")

    static func unchecked(_ text: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(text) else { preconditionFailure("it is a name") }
        return name
    }
}
