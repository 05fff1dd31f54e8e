internal import HTTPTypes
internal import HummingbirdCore
internal import JSON
internal import Logging
internal import NIOCore
internal import NIOHTTP1
internal import NIOHTTPTypesHTTP1

/// Hummingbird's HTTP/1.1 channel, plus the handling that depends on the version of a request,
/// which Hummingbird no longer knows.
struct VersionedChannel: ServerChildChannel {
    let inner: HTTP1Channel

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        inner.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let end = EndOfHTTP()
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(end, position: .before(decoder))
            try pipeline.addHandler(Versions(end), position: .before(codec))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await inner.handle(value: value, logger: logger)
    }
}

/// Closes a connection on which bytes follow the last accepted request. After a protocol upgrade
/// request the decoder would buffer them for the other protocol, without limit.
final class EndOfHTTP: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    fileprivate(set) var hasEnded = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if hasEnded { context.close(promise: nil) } else { context.fireChannelRead(data) }
    }
}

/// An HTTP/1.1 request must name its host exactly once (RFC 9112, 3.2). An HTTP/1.0 client does not
/// understand chunked encoding: the end of its response is the end of the connection. Text with
/// long runs of combining marks is refused before anything is compared with it (``isStreamSafe``).
/// A request to change the protocol is answered without doing so (RFC 9110, 7.8), as the last one;
/// a transfer coding other than chunked is refused (RFC 9112, 6.1). A client that sends many
/// requests without waiting gets answers to the first ones (RFC 9112, 9.3.2): one read from a
/// socket holds hundreds.
final class Versions: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The versions of the requests not answered yet, in order.
    private var versions: [HTTPVersion] = []
    private var isRefused = false
    /// Sent once the requests before it are answered.
    private var last: Refusal?
    private var changesProtocol = false
    private let end: EndOfHTTP

    /// The maximum number of unanswered requests on a connection.
    static let mostUnanswered = 8
    /// The maximum size of a request's fields, without its target, in bytes: cookies and tokens are
    /// far shorter.
    static let longestFields = 16_384

    init(_ end: EndOfHTTP) { self.end = end }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        guard case .head(var head) = unwrapInboundIn(data) else {
            if case .end = unwrapInboundIn(data) { end.hasEnded = changesProtocol }
            return context.fireChannelRead(data)
        }
        guard versions.count < Versions.mostUnanswered else {
            return refuse(
                context,
                Refusal(.tooManyRequests, "Wait for answers before you send more requests."))
        }
        let isOld = head.version.isOld
        guard isOld || head.headers["Host"].count == 1 else {
            return refuse(context, .bad("A request must have exactly one Host header."))
        }
        let length = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count }
        guard length <= Versions.longestFields else {
            return refuse(
                context,
                Refusal(
                    .requestHeaderFieldsTooLarge,
                    "The fields of a request may have at most \(Versions.longestFields) bytes."))
        }
        guard head.uri.isStreamSafe, head.headers.allSatisfy({ $0.value.isStreamSafe }) else {
            return refuse(context, .bad("The request has too many combining marks in a row."))
        }
        guard head.method != .CONNECT else {
            return refuse(context, .bad("This server is not a proxy."))
        }
        let codings = head.headers["Transfer-Encoding"]
        guard codings.isEmpty || codings.map({ $0.lowercased() }) == ["chunked"] else {
            return refuse(context, .bad("A Transfer-Encoding can only be chunked."))
        }
        versions.append(head.version)
        changesProtocol = head.headers.contains(name: "Upgrade")
        if isOld || changesProtocol {
            head.headers.replaceOrAdd(name: "Connection", value: "close")
        }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if let version = versions.first, version.isOld {
                head.version = .http1_0
                head.headers.replaceOrAdd(name: "Connection", value: "close")
            }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .end:
            if !versions.isEmpty { versions.removeFirst() }
            context.write(data, promise: promise)
            if versions.isEmpty, let last { send(last, context) }
        case .body: context.write(data, promise: promise)
        }
    }

    private func refuse(_ context: ChannelHandlerContext, _ refusal: Refusal) {
        (isRefused, end.hasEnded) = (true, true)
        if versions.isEmpty { send(refusal, context) } else { last = refusal }
    }

    private func send(_ refusal: Refusal, _ context: ChannelHandlerContext) {
        last = nil
        let body = refusal.body
        let head = HTTPResponseHead(
            version: .http1_1, status: .init(statusCode: refusal.status.code),
            headers: [
                "Content-Type": "application/problem+json", "Content-Length": "\(body.count)",
                "Connection": "close",
            ])
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(
            wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }
}

extension Refusal {
    fileprivate static func bad(_ reason: String) -> Refusal { Refusal(.badRequest, reason) }
}

extension HTTPVersion {
    fileprivate var isOld: Bool { (major, minor) < (1, 1) }
}
