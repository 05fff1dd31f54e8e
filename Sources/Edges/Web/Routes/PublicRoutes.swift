internal import Contract
internal import HTTPTypes
internal import Hummingbird
internal import JSON
internal import WebAuthn

/// Public routes: the pages, their configuration, and the health check.
struct PublicRoutes: Sendable {
    let settings: WebSettings
    let pages: Pages
    let files: OperatorFiles
    let health: Health
    let version: String

    func add(to router: Router<WebContext>) {
        router.getAndHead("config.json", use: config)
        router.getAndHead("healthz", use: healthz)
        for path in ["", "**"] as [RouterPath] { router.getAndHead(path, use: page) }
    }

    @Sendable private func page(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        try pages.response(to: request, path: request.uri.path)
    }

    @Sendable private func healthz(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let report = await health.report
        let finding = report.finding
        let concerns = (report.concerns + files.concerns.map(\.rawValue)).sorted()
        let reason: String?
        switch finding {
        case .well: reason = concerns.first
        case .sparing: reason = MetricReading.fullDisk
        case .noBroker: reason = "broker-unreachable"
        case .noBridge: reason = "bridge-not-answering"
        }
        var response = Response.json(
            JSONWriter.object { json in
                json.key("status")
                json.string(reason == nil ? "ok" : "degraded")
                if settings.isStandingBy() {
                    json.key("bridge")
                    json.string("standby")
                }
                guard let reason else { return }
                json.key("reason")
                json.string(reason)
                if !concerns.isEmpty {
                    json.key("concerns")
                    json.array(concerns) { $0.string($1) }
                }
                guard finding == .sparing else { return }
                json.key("calls")
                json.bool(true)
            })
        if finding != .well { response.status = .serviceUnavailable }
        return response
    }

    /// `{version,root,demo,passkeys,forgot,registration,broker:{host,port,tls},terms,
    /// tiles:{url,attribution,maximumZoom,minimumZoom?,bounds?}|null}`: `root`, above all topics;
    /// `forgot`, whether a forgotten password can be set by mail; `registration`, who may create an
    /// account: `open`, `invitation` or `closed`; `terms` is `{version,terms?,privacy?}`, the
    /// addresses of the texts, or null.
    @Sendable private func config(_ request: Request, _ context: WebContext) async throws
        -> Response
    {
        let host = request.head.authority.map(KnownHosts.host) ?? ""
        return .json(
            JSONWriter.object { json in
                json.key("version")
                json.string(version)
                json.key("root")
                json.string(settings.topics.root)
                json.key("demo")
                json.bool(settings.demo != nil)
                json.key("passkeys")
                json.bool(settings.server.origin.flatMap { RelyingParty(origin: $0) } != nil)
                json.key("forgot")
                json.bool(settings.sendsLinks)
                json.key("registration")
                json.string(settings.registration.rawValue)
                json.key("tiles")
                (files.map.map { WebSettings.Tiles($0) } ?? settings.tiles).map { json.tiles($0) }
                    ?? json.null()
                json.key("broker")
                json.object { json in
                    json.key("host")
                    json.string(settings.phones.host ?? host)
                    json.key("port")
                    json.number(settings.phones.port ?? Int(settings.broker.port))
                    json.key("tls")
                    json.bool(settings.phones.tls)
                }
                json.key("terms")
                settings.terms.map { json.terms($0.version, OperatorFiles.texts(of: settings)) }
                    ?? json.null()
            })
    }
}

extension JSONWriter {
    fileprivate mutating func terms(_ version: String, _ texts: [(address: String, file: String)]) {
        object { json in
            json.key("version")
            json.string(version)
            for (address, _) in texts {
                json.key(address == "/terms" ? "terms" : "privacy")
                json.string(address)
            }
        }
    }

    fileprivate mutating func tiles(_ tiles: WebSettings.Tiles) {
        object { json in
            json.key("url")
            json.string(tiles.url)
            json.key("attribution")
            json.string(tiles.attribution)
            json.key("maximumZoom")
            json.number(tiles.maximumZoom)
            if let minimumZoom = tiles.minimumZoom {
                json.key("minimumZoom")
                json.number(minimumZoom)
            }
            guard let bounds = tiles.bounds else { return }
            json.key("bounds")
            json.array { json in
                for degrees in bounds { json.number(degrees) }
            }
        }
    }
}
