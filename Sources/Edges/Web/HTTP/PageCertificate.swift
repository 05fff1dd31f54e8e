internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The page's certificate, which can be replaced: existing connections keep the old one.
final class PageCertificate: Sendable {
    private let files: WebSettings.Certificate
    private let current: Mutex<Loaded>

    private struct Loaded {
        let context: NIOSSLContext
        /// Seconds since 1970.
        let end: Int
    }

    /// - Throws: ``WebError`` if the files cannot be used.
    init(_ files: WebSettings.Certificate) throws(WebError) {
        self.files = files
        current = Mutex(try PageCertificate.load(files))
    }

    var context: NIOSSLContext { current.withLock { $0.context } }

    /// When the certificate for new connections expires, in seconds since 1970.
    var end: Int { current.withLock { $0.end } }

    /// - Throws: ``WebError`` if the files cannot be used: then the certificate is unchanged.
    func reload() throws(WebError) {
        let new = try PageCertificate.load(files)
        current.withLock { $0 = new }
    }

    private static func load(_ files: WebSettings.Certificate) throws(WebError) -> Loaded {
        let configuration = try files.configuration
        guard case .certificate(let own) = configuration.certificateChain.first else {
            throw .noCertificate(files.chain)
        }
        do {
            return Loaded(
                context: try NIOSSLContext(configuration: configuration),
                end: Int(own.notValidAfter))
        } catch {
            // The key belongs to another certificate.
            throw .noCertificate(files.key)
        }
    }
}

/// A TLS channel with the current certificate.
struct CertifiedChannel<Base: ServerChildChannel>: ServerChildChannel {
    let base: Base
    let certificate: PageCertificate

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Base.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                NIOSSLServerHandler(context: certificate.context))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: Base.Value, logger: Logger) async {
        await base.handle(value: value, logger: logger)
    }
}
