internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
public import Logging
internal import NIOCore
public import ServiceLifecycle
public import Tracking

/// The page: HTTP for browsers and programs. It does everything over MQTT with the caller's token;
/// it has no rights of its own.
public struct Web: Service {
    private let settings: WebSettings
    private let logger: Logger
    private let pages: Pages
    private let files: OperatorFiles
    private let version: String
    private let commit: String
    private let onReady: @Sendable (Int) -> Void
    private let certificate: PageCertificate?

    /// - Parameters:
    ///   - commit: the commit from which the program was built.
    ///   - onReady: called with the listening port.
    /// - Throws: ``WebError`` if the pages or the certificate cannot be read.
    public init(
        _ settings: WebSettings, version: String, commit: String = "development", logger: Logger,
        onReady: @escaping @Sendable (Int) -> Void = { _ in }
    ) throws(WebError) {
        self.settings = settings
        files = OperatorFiles(settings)
        self.version = version
        self.commit = commit
        self.logger = logger
        self.onReady = onReady
        pages = try Pages(settings, files)
        certificate = try settings.server.certificate.map { files throws(WebError) in
            try PageCertificate(files)
        }
    }

    /// Files that it currently cannot read, and runs without.
    public var faults: [PageFault] { files.faults }

    /// Files that a page with these settings could not read.
    public static func faults(_ settings: WebSettings) -> [PageFault] {
        OperatorFiles(settings).faults
    }

    /// Reloads its certificate files for new connections.
    ///
    /// - Throws: ``WebError`` if they cannot be used: then it keeps its current certificate.
    public func reloadCertificate() throws(WebError) { try certificate?.reload() }

    /// - Throws: ``WebError`` if a page could not use these files.
    public static func check(_ certificate: WebSettings.Certificate) throws(WebError) {
        _ = try PageCertificate(certificate)
    }

    /// Returns when a certificate expires; of a chain the first one.
    ///
    /// - Parameter path: the file (PEM).
    /// - Returns: nil if it cannot be read.
    public static func certificateEnd(of path: String) -> Timestamp? {
        CertificateDates.end(of: path).map { Timestamp(milliseconds: Int64($0) * 1000) }
    }

    /// Returns once each thread that serves pages has had its turn.
    public static func answer() async throws {
        for loop in EventLoopGroupProvider.singleton.eventLoopGroup.makeIterator() {
            try await loop.submit {}.get()
        }
    }

    public func run() async throws {
        let connections = VisitorConnections(settings, logger: logger)
        let limits = settings.limits
        let book = ConnectionCounts(
            maximum: settings.server.isBehindProxy ? nil : limits.connectionsOfAddress,
            all: limits.connections)
        var log = logger
        // Hummingbird's own log lines would contain addresses.
        log.logLevel = .error
        let port = settings.server.port
        let certificate = certificate
        var application = Application(
            router: router(connections, book),
            server: HTTPServerBuilder { responder in
                let channel = VersionedChannel(
                    inner: HTTP1Channel(
                        responder: responder,
                        configuration: .init(
                            additionalChannelHandlers: [RequestTimeouts(limits, book)],
                            idleTimeout: TimeAmount(limits.bodyTime))))
                guard let certificate else { return channel }
                return CertifiedChannel(base: channel, certificate: certificate)
            },
            configuration: .init(
                address: .hostname(settings.server.address, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(limits.connections)),
            onServerRunning: { channel in onReady(channel.localAddress?.port ?? port) },
            logger: log)
        application.addServices(connections)
        let ready = application
        do {
            try await withGracefulShutdownHandler {
                try await ready.run()
            } onGracefulShutdown: {
                // Event readers would stay for ever, and the server would wait for them.
                connections.endReaders()
            }
        } catch let error as IOError {
            throw WebError.cannotListen(port, code: error.errnoCode)
        }
    }

    func router(_ connections: VisitorConnections, _ book: ConnectionCounts) -> Router<
        WebContext
    > {
        let gateway = RequestGateway(settings, connections, logger)
        let tally = StatusCounts()
        let router = Router(context: WebContext.self)
        router.addMiddleware {
            SecurityMiddleware(gateway, pages, tally)
            MethodCheck(pages: pages, hasMap: files.hasMap)
        }
        SessionRoutes(gateway: gateway).add(to: router)
        MethodRoutes(gateway: gateway).add(to: router)
        EventRoutes(gateway: gateway).add(to: router)
        CourseRoutes(gateway: gateway).add(to: router)
        PathRoutes(gateway: gateway).add(to: router)
        ExportRoutes(gateway: gateway).add(to: router)
        SampleRoutes(gateway: gateway).add(to: router)
        AvatarRoutes(gateway: gateway).add(to: router)
        let health = Health(connections)
        MetricsRoutes(
            gateway: gateway, health: health, certificates: certificates, tally: tally,
            connections: book, files: files, isStandingBy: settings.isStandingBy,
            version: version, commit: commit
        ).add(to: router)
        if files.hasMap { MapRoutes(files: files).add(to: router) }
        PublicRoutes(
            settings: settings, pages: pages, files: files, health: health, version: version
        ).add(to: router)
        return router
    }

    private var certificates: CertificateDates {
        let (broker, phones) = (settings.broker, settings.phones)
        return CertificateDates(
            page: certificate,
            phones: phones.tls
                ? phones.port.map { ServedCertificate(host: broker.host, port: $0) } : nil,
            file: settings.brokerCertificate)
    }
}
