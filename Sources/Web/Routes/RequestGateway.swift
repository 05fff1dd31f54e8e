internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import Limits
internal import NIOCore

/// Identifies the caller, checks its rights and rate limits, and gets the answer from the broker.
struct RequestGateway: Sendable {
    let settings: WebSettings
    let connections: VisitorConnections
    let cookie: SessionCookie
    let sameSite: SameSite
    private let visitors: RateLimiter<Visitor>
    private let attempts: RateLimiter<NetworkAddress>
    private let guestConnections: RateLimiter<Int>
    private let guests: RateLimiter<Nobody>

    init(_ settings: WebSettings, _ connections: VisitorConnections) {
        self.settings = settings
        self.connections = connections
        cookie = SessionCookie(isSecure: settings.server.isSecure)
        sameSite = SameSite(settings)
        visitors = RateLimiter(settings.limits.requestsOfVisitor)
        attempts = RateLimiter(settings.limits.attemptsOfAddress)
        guestConnections = RateLimiter(settings.limits.messagesOfGuestConnection)
        guests = RateLimiter(settings.limits.messagesOfGuests)
    }

    /// Returns the sender of a request.
    ///
    /// - Parameter type: of the body; one that a form on another site cannot send.
    /// - Throws: ``Refusal`` if the request has no valid sender, comes from another site, or
    ///   exceeds the rate limit.
    func caller(_ request: Request, bringing type: String = "application/json") throws(Refusal)
        -> Visitor
    {
        guard let caller = try whoAsks(request) else { throw .notLoggedIn }
        try checkUser(of: request, caller)
        if request.method != .get, request.method != .head {
            try sameSite.check(request, isCertain: caller.byCookie)
            guard !caller.byCookie || request.has(type) else {
                throw Refusal(.unsupportedMediaType, "The body must be \(type).")
            }
        }
        guard visitors.take(caller.visitor) else { throw .tooMuch }
        return caller.visitor
    }

    /// Nil if the request has no token.
    func whoAsks(_ request: Request) throws(Refusal) -> Caller? {
        try request.caller(cookie, demo: settings.demo)
    }

    /// A page names the user that it shows, since another tab may have logged in as somebody else.
    func checkUser(of request: Request, _ caller: Caller) throws(Refusal) {
        guard caller.byCookie, let shown = request.headers[.user],
            case .device(let token) = caller.visitor, shown != token.user.text
        else { return }
        throw Refusal(.conflict, "Another user is logged in with this browser.")
    }

    func isDemo(_ visitor: Visitor) -> Bool {
        guard let demo = settings.demo else { return false }
        return visitor == .device(demo)
    }

    /// For visitors who want to log in or to register.
    ///
    /// - Parameter isAttempt: whether somebody may try out secrets with it.
    /// - Returns: the result, a JSON object.
    func askAsGuest(
        _ request: Request, _ context: WebContext, _ method: String, isAttempt: Bool = true
    ) async throws -> [UInt8] {
        let address = request.address(context, behindProxy: settings.server.isBehindProxy)
        guard !isAttempt || attempts.take(address) else {
            throw Refusal(
                .tooManyRequests, "Too many attempts from this address.", retryAfter: .seconds(60))
        }
        let body = try await body(of: request, atMost: settings.limits.guestBody)
        var hasher = Hasher()
        hasher.combine(address)
        // The hash is seeded per process, so it reveals nothing about the address.
        let hash = UInt(bitPattern: hasher.finalize())
        let connection = Int(hash % UInt(settings.limits.guestConnections))
        // Beyond this the gate would close the connection, which many guests share.
        let cost = Double(1 + body.count / PayloadLimits.oneMessage)
        guard guestConnections.take(connection, cost), guests.take(Nobody(), cost) else {
            throw Refusal.tooMuch
        }
        return try await ask(.guest(connection), method, RequestGateway.naming(hash, in: body))
    }

    /// Adds the visitor to the request, so that nobody has to wait because of what another visitor
    /// did. The bridge refuses what cannot be parsed.
    private static func naming(_ visitor: UInt, in body: [UInt8]) -> [UInt8] {
        guard case .object(let members)? = JSONValue(parsing: body) else { return body }
        let name = JSONValue.Member(
            key: "visitor", value: .string(String(visitor, radix: 36)))
        var json = JSONWriter()
        json.value(.object(members.filter { $0.key != name.key } + [name]))
        return json.bytes
    }

    /// The key for all guests together.
    private struct Nobody: Hashable {}

    /// - Throws: `too-large`.
    ///
    /// - Parameter limit: in bytes; nil for the same limit as over MQTT.
    func body(of request: Request, atMost limit: Int? = nil) async throws -> [UInt8] {
        let limit = limit ?? settings.limits.body
        do {
            let buffer = try await request.body.collect(upTo: limit)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge, "This request may have at most \(limit) bytes.")
        }
    }

    /// - Returns: the result, a JSON object.
    /// - Throws: ``Refusal`` with the problem that the bridge reported.
    func ask(_ visitor: Visitor, _ method: String, _ body: [UInt8]) async throws(Refusal)
        -> [UInt8]
    {
        let reply = try await connections.ask(visitor, method, body)
        guard let reply = JSONValue(parsing: reply, isOurs: true) else {
            throw Refusal(.badGateway, "The answer cannot be read.")
        }
        var json = JSONWriter()
        if let result = reply["result"] {
            json.value(result)
            return json.bytes
        }
        let problem = reply["problem"] ?? .object([])
        json.value(problem)
        throw Refusal(status: Int(problem["status"]?.integer ?? 500), problem: json.bytes)
    }

    func ask(_ visitor: Visitor, _ method: String, _ request: JSONValue) async throws(Refusal)
        -> JSONValue
    {
        var json = JSONWriter()
        json.value(request)
        return JSONValue(parsing: try await ask(visitor, method, json.bytes), isOurs: true) ?? .null
    }
}

extension Request {
    func has(_ type: String) -> Bool {
        let sent = headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        return sent?.filter { $0 != " " } == type
    }
}
