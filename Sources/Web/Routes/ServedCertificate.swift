internal import NIOCore
internal import NIOPosix
internal import NIOSSL
internal import NIOTLS

/// When the certificate ends that a listener with TLS serves, as the listener itself says: the file
/// may have been renewed, and nobody have loaded it since. Asked only now and then.
actor ServedCertificate {
    private let host: String
    private let port: Int
    private var last: (at: ContinuousClock.Instant, end: Int?)?

    init(host: String, port: Int) { (self.host, self.port) = (host, port) }

    /// Seconds since 1970; nil if nobody serves one there within ``patience``.
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
                    // Whoever speaks no TLS, or says nothing.
                    channel.closeFuture.whenComplete { _ in end.succeed(nil) }
                    channel.eventLoop.scheduleTask(in: TimeAmount(patience)) {
                        channel.close(promise: nil)
                    }
                }
            }
        do { return try await end.futureResult.get() } catch { return nil }
    }

    /// Takes any certificate: nothing is sent, and nothing believed but the date.
    private static func handler(_ end: EventLoopPromise<Int?>) throws -> NIOSSLClientHandler {
        let context = try NIOSSLContext(configuration: .makeClientConfiguration())
        return try NIOSSLClientHandler(context: context, serverHostname: nil) { chain, verdict in
            end.succeed(chain.first.map { Int($0.notValidAfter) })
            verdict.succeed(.certificateVerified)
        }
    }

    static let patience = Duration.seconds(1)
    /// Rarely: a broker may log whoever hangs up without having said anything.
    private static let freshness = Duration.seconds(3600)
}

/// Says goodbye once the connection stands.
private final class HangUp: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if let event = event as? TLSUserEvent, case .handshakeCompleted = event {
            context.close(promise: nil)
        }
    }
}
