internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import Limits
internal import NIOHTTP1

/// Wraps all routes: limits how often an address may send requests, formats refusals, and adds the
/// security headers for browsers.
struct SecurityMiddleware: RouterMiddleware {
    private let requests: RateLimiter<NetworkAddress>
    private let calls: RateLimiter<NetworkAddress>
    private let gateway: RequestGateway
    private let hosts: KnownHosts
    private let pages: Pages
    private let isBehindProxy: Bool
    private let hasMap: Bool
    private let fields: HTTPFields
    private let tally: StatusCounts

    init(_ gateway: RequestGateway, _ pages: Pages, _ tally: StatusCounts) {
        let settings = gateway.settings
        self.gateway = gateway
        hosts = KnownHosts(settings)
        self.pages = pages
        calls = RateLimiter(settings.limits.callsOfAddress)
        requests = RateLimiter(settings.limits.requestsOfAddress)
        isBehindProxy = settings.server.isBehindProxy
        hasMap = settings.map != nil
        fields = SecurityMiddleware.fields(settings)
        self.tally = tally
    }

    func handle(
        _ request: Request, context: WebContext,
        next: (Request, WebContext) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            if let authority = request.head.authority, !hosts.allow(authority),
                !isForAnyName(request)
            {
                throw KnownHosts.refusal
            }
            let address = request.address(context, behindProxy: isBehindProxy)
            guard mayAsk(request, address) else { throw Refusal.tooMuch }
            response = try await next(request, context)
        } catch {
            response = Response(Refusal(of: error))
        }
        for field in fields where response.headers[field.name] == nil {
            response.headers[field.name] = field.value
        }
        tally.count(response.status)
        return response
    }

    /// Whether the request is accepted under any host name. Programs send a token, which a script
    /// of another site does not have: a call for help is not refused because of a name.
    private func isForAnyName(_ request: Request) -> Bool {
        let path = request.uri.path
        if path == "/healthz" { return true }
        return request.headers[.authorization] != nil
            && (CallForHelp.isAt(path) || path == "/api/fix" || path == "/metrics")
    }

    /// Calls for help have their own allowance; visitors known to the broker have another, which
    /// neighbours do not use up (``RequestGateway/caller(_:bringing:isCall:)``).
    private func mayAsk(_ request: Request, _ address: NetworkAddress) -> Bool {
        guard CallForHelp.isAt(request.uri.path) else {
            return requests.take(address, cost(of: request))
        }
        return calls.take(address) || gateway.isAccepted(request)
    }

    /// The cost of a request. A browser requests about a hundred files to show the page, and users
    /// who share an address may open it at the same time; these files are in memory and cost next
    /// to nothing. Moving the map requests the same number of tiles.
    private func cost(of request: Request) -> Double {
        let path = request.uri.path
        let isFile = pages.has(path) || (hasMap && path.hasPrefix("/map/"))
        let length = request.headers.reduce(request.uri.string.utf8.count) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count
        }
        return (isFile ? SecurityMiddleware.costOfFile : 1)
            + Double(length / SecurityMiddleware.lengthOfOne)
    }

    private static let costOfFile = 0.1
    /// The head size in bytes that costs as much to read as a request: heads from browsers are
    /// smaller.
    private static let lengthOfOne = 4_096

    private static func fields(_ settings: WebSettings) -> HTTPFields {
        let tiles = settings.tiles.flatMap { Origin(of: $0.url) }.map { " " + $0.text } ?? ""
        var fields = HTTPFields()
        fields[.contentSecurityPolicy] = """
            default-src 'none'; script-src 'self'; style-src 'self'; \
            img-src 'self' data:\(tiles); connect-src 'self'; manifest-src 'self'; \
            worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'
            """
        fields[.xContentTypeOptions] = "nosniff"
        // Tile servers want to know which site they serve; they receive only the origin.
        fields[.unchecked("Referrer-Policy")] = "strict-origin-when-cross-origin"
        fields[.unchecked("Permissions-Policy")] =
            "geolocation=(self), camera=(), microphone=(), payment=()"
        fields[.unchecked("Cross-Origin-Opener-Policy")] = "same-origin"
        fields[.unchecked("Cross-Origin-Resource-Policy")] = "same-origin"
        fields[.unchecked("X-Frame-Options")] = "DENY"
        fields[.cacheControl] = "no-store"
        if settings.server.isSecure {
            fields[.strictTransportSecurity] = "max-age=31536000"
        }
        return fields
    }
}

extension Refusal {
    /// Internal errors are not disclosed.
    init(of error: any Error) {
        switch error {
        case let refusal as Refusal: self = refusal
        case let problem as Problem: self.init(problem)
        case let error as any HTTPResponseError:
            self.init(error.status, error.status.reasonPhrase)
        // The body's chunks cannot be read.
        case is HTTPParserError:
            self.init(.badRequest, "The body of the request cannot be read.")
        default:
            self.init(.internalServerError, "Something went wrong here.")
        }
    }
}
