internal import Glibc
internal import NIOCore
internal import NIOHTTPTypes

/// Closes connections on which a request does not arrive in time, and an idle one if there are too
/// many (``ConnectionCounts``). Sending a byte now and then does not help: one deadline covers the
/// whole head, another the whole body.
final class RequestTimeouts: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: WebSettings.Limits
    private let book: ConnectionCounts
    private var deadline: Scheduled<Void>?
    private var writing: Scheduled<Void>?
    private var id: ConnectionCounts.ID?

    /// The number of bytes read at a time: all requests in them are decoded together.
    private static let read = 8_192
    /// The maximum unsent bytes in the kernel, beyond data in flight; `man 7 tcp`.
    private static let mostNotSent = 32_768
    private static let notSent = ChannelOptions.Types.SocketOption(
        level: .tcp, name: .init(rawValue: TCP_NOTSENT_LOWAT))

    init(_ limits: WebSettings.Limits, _ book: ConnectionCounts) {
        self.limits = limits
        self.book = book
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let address = context.channel.remoteAddress?.ipAddress ?? ""
        let channel = context.channel
        id = book.enter(address) { channel.close(promise: nil) }
        guard id != nil else { return context.close(promise: nil) }
        expect(within: limits.head, context)
        _ = channel.setOption(
            .recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.read))
        // Data waiting in a connection, or in the kernel, counts in no budget. Without a bound the
        // kernel keeps megabytes for a browser that reads nothing.
        _ = channel.setOption(
            .writeBufferWaterMark, value: .init(low: 8_192, high: 32_768))
        _ = channel.setOption(Self.notSent, value: SocketOptionValue(Self.mostNotSent))
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        writing?.cancel()
        if let id { book.leave(id) }
        id = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: expect(within: limits.bodyTime, context)
        case .body: break
        // The idle timeout covers the wait for the next request.
        case .end:
            deadline?.cancel()
            if let id { book.note(id, isUnderway: true) }
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data), let id { book.note(id, isUnderway: false) }
        context.write(data, promise: promise)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        writing?.cancel()
        if !context.channel.isWritable { writing = end(context, after: limits.writing) }
        context.fireChannelWritabilityChanged()
    }

    private func expect(within time: Duration, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = end(context, after: time)
    }

    private func end(_ context: ChannelHandlerContext, after time: Duration) -> Scheduled<Void> {
        let channel = context.channel
        return context.eventLoop.scheduleTask(in: TimeAmount(time)) { channel.close(promise: nil) }
    }
}
