internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import Limits
internal import Logging
internal import NIOCore

/// Identifies the caller, checks its rights and rate limits, and gets the answer from the broker.
struct RequestGateway: Sendable {
    let settings: WebSettings
    let connections: VisitorConnections
    let cookie: SessionCookie
    let sameSite: SameSite
    private let downloads: Places
    private let visitors: RateLimiter<Visitor>
    private let calls: RateLimiter<Visitor>
    private let guests: GuestGateway
    private let logger: Logger

    init(_ settings: WebSettings, _ connections: VisitorConnections, _ logger: Logger) {
        self.settings = settings
        self.logger = logger
        self.connections = connections
        cookie = SessionCookie(isSecure: settings.server.isSecure)
        sameSite = SameSite(settings)
        downloads = Places(settings.limits.downloads)
        visitors = RateLimiter(settings.limits.requestsOfVisitor)
        calls = RateLimiter(settings.limits.callsOfVisitor)
        guests = GuestGateway(settings.limits)
    }

    /// Returns the sender of a request.
    ///
    /// - Parameters:
    ///   - type: the body's type; one that a form on another site cannot send.
    ///   - isCall: whether it is a call for help, which has its own allowance.
    /// - Throws: ``Refusal`` if the request has no valid sender, comes from another site, or
    ///   exceeds the rate limit.
    func caller(
        _ request: Request, bringing type: String = "application/json", isCall: Bool = false
    ) throws(Refusal) -> Visitor {
        guard let caller = try whoAsks(request) else { throw .notLoggedIn }
        try checkUser(of: request, caller)
        if request.method != .get, request.method != .head {
            try sameSite.check(request, isCertain: caller.byCookie)
            guard !caller.byCookie || request.has(type) else {
                throw Refusal(.unsupportedMediaType, "The body must be \(type).")
            }
        }
        guard (isCall ? calls : visitors).take(caller.visitor) else { throw .tooMuch }
        return caller.visitor
    }

    /// Whether the broker has admitted the caller, on a connection that still exists.
    func isAccepted(_ request: Request) -> Bool {
        do throws(Refusal) {
            guard let caller = try whoAsks(request) else { return false }
            return connections.lastFigures.accepted.contains(caller.visitor)
        } catch {
            return false
        }
    }

    /// Nil if the request has no token.
    func whoAsks(_ request: Request) throws(Refusal) -> Caller? {
        try request.caller(cookie, demo: settings.demo)
    }

    /// Checks the user that the page shows, since another tab may have logged in as another user.
    func checkUser(of request: Request, _ caller: Caller) throws(Refusal) {
        guard caller.byCookie, let shown = request.headers[.user],
            case .device(let token) = caller.visitor, shown != token.user.text
        else { return }
        throw Refusal(.conflict, "Another user is logged in with this browser.")
    }

    func address(of request: Request, _ context: WebContext) -> NetworkAddress {
        request.address(context, behindProxy: settings.server.isBehindProxy)
    }

    /// Returns a place for a file of any length, which the response holds until it is written.
    func placeForDownload(of visitor: Visitor, _ request: Request, _ context: WebContext)
        throws(Refusal) -> Places.Place
    {
        try downloads.take(Party(visitor), at: address(of: request, context))
    }

    /// - Throws: if the operator has no page here.
    func checkOperatorsPage() throws(Refusal) {
        guard settings.server.hasOperatorsPage else {
            throw Refusal(Problem(.notAllowed, "web.operatorPage is false on this server."))
        }
    }

    func isDemo(_ visitor: Visitor) -> Bool {
        guard let demo = settings.demo else { return false }
        return visitor == .device(demo)
    }

    /// Makes a request for visitors who are not logged in: to log in, to register, to open a link
    /// or to look around.
    ///
    /// - Returns: the result, a JSON object.
    func askAsGuest(
        _ request: Request, _ context: WebContext, _ method: String
    ) async throws -> [UInt8] {
        let guest = guests.guest(at: address(of: request, context), method)
        try guests.begin(guest)
        do {
            return try await ask(as: guest, request, method)
        } catch let refusal as Refusal where refusal.isForWrongCredentials {
            // The allowances of visitors who are not logged in limit the number of lines.
            if settings.server.logsWrongPasswords, let address = guest.address.text {
                logger.notice("Wrong credentials from \(address) were refused.")
            }
            throw refusal
        }
    }

    private func ask(
        as guest: GuestGateway.Guest, _ request: Request, _ method: String
    ) async throws -> [UInt8] {
        let body = try await body(of: request, atMost: settings.limits.guestBody)
        // Beyond this the gate would close the connection, which many guests share.
        let cost = Double(1 + body.count / PayloadLimits.oneMessage)
        guard PublicAnswers.hold(method), let asked = JSONValue(parsing: body) else {
            let named = RequestGateway.naming(guest.hash, in: body)
            // The gate would close the connection.
            guard named.count <= settings.limits.guestBody else {
                throw Problem(.tooLarge, "This request is too large.")
            }
            let connection = try guests.connection(for: guest, cost)
            return try await ask(.guest(connection), method, named)
        }
        return try await guests.answers.answer(to: method, asked) { () throws(Refusal) in
            try guests.connection(for: guest, cost)
        } ask: { [self] connection in
            do throws(Refusal) {
                return .success(try await ask(.guest(connection), method, body))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Adds the visitor to the request, so that no one has to wait because of another visitor's
    /// actions. The bridge refuses requests that cannot be parsed.
    private static func naming(_ visitor: UInt, in body: [UInt8]) -> [UInt8] {
        guard case .object(let members)? = JSONValue(parsing: body) else { return body }
        let name = JSONValue.Member(
            key: "visitor", value: .string(String(visitor, radix: 36)))
        var json = JSONWriter()
        json.value(.object(members.filter { $0.key != name.key } + [name]))
        return json.bytes
    }

    /// - Parameters:
    ///   - limit: in bytes; nil for the same limit as over MQTT.
    ///   - room: takes a place for each received byte.
    /// - Throws: `too-large`; ``Refusal/busy`` if there is no room.
    func body(of request: Request, atMost limit: Int? = nil, _ room: Places.Place? = nil)
        async throws -> [UInt8]
    {
        let limit = limit ?? settings.limits.body
        var bytes: [UInt8] = []
        for try await part in request.body {
            guard bytes.count + part.readableBytes <= limit else {
                throw Problem(.tooLarge, "This request may have at most \(limit) bytes.")
            }
            try room?.grow(by: part.readableBytes)
            bytes += part.readableBytesView
        }
        return bytes
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
