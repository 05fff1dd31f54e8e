internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// The expiry of the certificate that a TLS listener actually serves: the file may have been
/// renewed, but not loaded since. Queried only now and then.
actor ServedCertificate {
    private let host: String
    private let port: Int
    private var last: (at: ContinuousClock.Instant, end: Int?)?

    init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Seconds since 1970; nil if no certificate is served there within ``patience``.
    var end: Int? {
        get async {
            if let last, .now - last.at < ServedCertificate.freshness { return last.end }
            let (host, port) = (host, port)
            let end = await first(within: ServedCertificate.patience) {
                await ServedCertificate.end(host, port)
            }
            last = (.now, end ?? nil)
            return end ?? nil
        }
    }

    private static func end(_ host: String, _ port: Int) async -> Int? {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let end = loop.makePromise(of: Int?.self)
        ClientBootstrap(group: loop)
            .connectTimeout(TimeAmount(patience))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandlers([handler(end), HangUp()])
                }
            }
            .connect(host: host, port: port)
            .whenComplete { result in
                switch result {
                case .failure: end.succeed(nil)
                case .success(let channel):
                    // For peers without TLS, or without a response.
                    channel.closeFuture.whenComplete { _ in end.succeed(nil) }
                    channel.eventLoop.scheduleTask(in: TimeAmount(patience)) {
                        channel.close(promise: nil)
                    }
                }
            }
        do { return try await end.futureResult.get() } catch { return nil }
    }

    /// Accepts any certificate: nothing is sent, and only the date is used.
    private static func handler(_ end: EventLoopPromise<Int?>) throws -> NIOSSLClientHandler {
        let context = try NIOSSLContext(configuration: .makeClientConfiguration())
        return try NIOSSLClientHandler(context: context, serverHostname: nil) { chain, verdict in
            end.succeed(chain.first.map { Int($0.notValidAfter) })
            verdict.succeed(.certificateVerified)
        }
    }

    static let patience = Duration.seconds(1)
    /// Rarely: a broker may log clients that disconnect without sending anything.
    private static let freshness = Duration.seconds(3600)
}

/// Closes the connection once it is established.
private final class HangUp: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted = event {
            context.close(promise: nil)
        }
    }
}
