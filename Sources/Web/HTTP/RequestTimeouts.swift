internal import NIOCore
internal import NIOHTTPTypes

/// Closes connections on which a request does not arrive in time, and connections from an address
/// that has too many. Sending a byte now and then does not help: one deadline covers the whole
/// head, another the whole body.
final class RequestTimeouts: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let limits: WebSettings.Limits
    private let book: ConnectionCounts
    private var deadline: Scheduled<Void>?
    private var writing: Scheduled<Void>?
    private var address: String?

    init(_ limits: WebSettings.Limits, _ book: ConnectionCounts) {
        self.limits = limits
        self.book = book
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let address = context.channel.remoteAddress?.ipAddress ?? ""
        guard book.enter(address) else { return context.close(promise: nil) }
        self.address = address
        expect(within: limits.head, context)
        // What waits in a connection counts in no budget.
        _ = context.channel.setOption(
            .writeBufferWaterMark, value: .init(low: 8_192, high: 32_768))
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        writing?.cancel()
        if let address { book.leave(address) }
        address = nil
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head: expect(within: limits.bodyTime, context)
        case .body: break
        // How long the next request may take to begin is up to the idle timeout.
        case .end: deadline?.cancel()
        }
        context.fireChannelRead(data)
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
