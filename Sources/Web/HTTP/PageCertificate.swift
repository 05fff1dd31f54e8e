internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL
internal import Synchronization

/// The page's certificate, which can be replaced: connections that exist keep the old one.
final class PageCertificate: Sendable {
    private let files: WebSettings.Certificate
    private let current: Mutex<NIOSSLContext>

    /// - Throws: ``WebError`` if the files cannot be used.
    init(_ files: WebSettings.Certificate) throws(WebError) {
        self.files = files
        current = Mutex(try PageCertificate.context(files))
    }

    var context: NIOSSLContext { current.withLock { $0 } }

    /// - Throws: ``WebError`` if the files cannot be used: then the certificate stays what it is.
    func reload() throws(WebError) {
        let new = try PageCertificate.context(files)
        current.withLock { $0 = new }
    }

    private static func context(_ files: WebSettings.Certificate) throws(WebError)
        -> NIOSSLContext
    {
        let configuration = try files.configuration
        do {
            return try NIOSSLContext(configuration: configuration)
        } catch {
            // A key that belongs to another certificate.
            throw .noCertificate(files.key)
        }
    }
}

/// Speaks TLS with the certificate of the moment.
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
