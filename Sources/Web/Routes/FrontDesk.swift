internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore

/// Who asks, whether they may ask that way and so often, and the answer from the broker.
struct FrontDesk: Sendable {
    let settings: WebSettings
    let switchboard: Switchboard
    let cookie: SessionCookie
    let sameSite: SameSite
    private let visitors: Meter<Visitor>
    private let attempts: Meter<NetworkAddress>

    init(_ settings: WebSettings, _ switchboard: Switchboard) {
        self.settings = settings
        self.switchboard = switchboard
        cookie = SessionCookie(isSecure: settings.server.isSecure)
        sameSite = SameSite(settings)
        visitors = Meter(settings.limits.requestsOfVisitor)
        attempts = Meter(settings.limits.attemptsOfAddress)
    }

    /// Whose request it is.
    ///
    /// - Throws: ``Refusal`` where it is nobody's, comes from another site, or is one too many.
    func caller(_ request: Request) throws(Refusal) -> Visitor {
        guard let caller = try request.caller(cookie) else { throw .notLoggedIn }
        if request.method != .get {
            try sameSite.check(request, isCertain: caller.byCookie)
            // A form of another site can send no such body.
            guard !caller.byCookie || request.isJSON else {
                throw Refusal(.unsupportedMediaType, "The body has to be application/json.")
            }
        }
        guard visitors.take(caller.visitor) else { throw .tooMuch }
        return caller.visitor
    }

    /// For who wants to log in or to register.
    func guest(_ request: Request, _ context: WebContext) throws(Refusal) -> Visitor {
        let address = request.address(context, behindProxy: settings.server.isBehindProxy)
        guard attempts.take(address) else {
            throw Refusal(
                .tooManyRequests, "Too many attempts from this address.", retryAfter: .seconds(60))
        }
        var hasher = Hasher()
        hasher.combine(address)
        let slot = UInt(bitPattern: hasher.finalize()) % UInt(settings.limits.guestLines)
        return .guest(Int(slot))
    }

    /// - Throws: `too-large`.
    func body(of request: Request) async throws -> [UInt8] {
        do {
            let buffer = try await request.body.collect(upTo: settings.limits.body)
            return Array(buffer.readableBytesView)
        } catch is NIOTooManyBytesError {
            throw Problem(.tooLarge, "A request has at most \(settings.limits.body) bytes.")
        }
    }

    /// - Returns: the result, a JSON object.
    /// - Throws: ``Refusal`` with the problem that the bridge told.
    func ask(_ visitor: Visitor, _ method: String, _ body: [UInt8]) async throws(Refusal)
        -> [UInt8]
    {
        let reply = try await switchboard.ask(visitor, method, body)
        guard let reply = JSONValue.read(reply) else {
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
        return JSONValue.read(try await ask(visitor, method, json.bytes)) ?? .null
    }
}

extension Request {
    var isJSON: Bool {
        let type = headers[.contentType]?.prefix { $0 != ";" }.lowercased()
        return type?.filter { $0 != " " } == "application/json"
    }
}
