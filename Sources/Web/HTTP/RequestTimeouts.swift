internal import Glibc
internal import NIOCore
internal import NIOHTTPTypes

/// Closes connections on which a request does not arrive in time, and one on which nothing is being answered where
/// there are too many (``ConnectionCounts``). Sending a byte now and then does not help: one deadline covers the whole
/// head, another the whole body.
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

    /// What is read at a time, in bytes: all requests in it are decoded in one go.
    private static let read = 8_192
    /// What the kernel keeps beyond what is on its way, in bytes; `man 7 tcp`.
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
        // What waits in a connection, or in the kernel, counts in no budget. Without a bound the kernel keeps
        // megabytes for a browser that reads nothing.
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
        // How long the next request may take to begin is up to the idle timeout.
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
