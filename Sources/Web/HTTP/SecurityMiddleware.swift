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

    /// What a program asks for with a token, which a script of another site does not have: a call for help
    /// is not refused because of a name.
    private func isForAnyName(_ request: Request) -> Bool {
        let path = request.uri.path
        if path == "/healthz" { return true }
        return request.headers[.authorization] != nil
            && (CallForHelp.isAt(path) || path == "/api/fix" || path == "/metrics")
    }

    /// Calls for help have an allowance of their own; whoever is known to the broker has another, which no
    /// neighbour uses up (``RequestGateway/caller(_:bringing:isCall:)``).
    private func mayAsk(_ request: Request, _ address: NetworkAddress) -> Bool {
        guard CallForHelp.isAt(request.uri.path) else {
            return requests.take(address, cost(of: request))
        }
        return calls.take(address) || gateway.isAccepted(request)
    }

    /// A browser asks for about a hundred files to show the page, and whoever shares an address opens
    /// it at the same time; they are in memory and cost next to nothing. Whoever moves the map asks
    /// for as many tiles.
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
    /// The bytes of a head that cost as much to read as a request: what browsers send has fewer.
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
        // Tile servers want to know which site they serve; they learn nothing beyond the origin.
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
        // What the body was cut into cannot be read.
        case is HTTPParserError:
            self.init(.badRequest, "The body of the request cannot be read.")
        default:
            self.init(.internalServerError, "Something went wrong here.")
        }
    }
}
