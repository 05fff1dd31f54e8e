import NIOCore
import NIOEmbedded
import NIOHTTP1
import Testing

@testable import Web

/// What is refused before it is a request, and how much of it is read.
struct VersionsTests {
    private final class Counter: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        var heads: [HTTPRequestHead] = []
        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if case .head(let head) = unwrapInboundIn(data) { heads.append(head) }
        }
    }

    private func connect() throws -> (EmbeddedChannel, Counter) {
        let (end, counter) = (EndOfHTTP(), Counter())
        let channel = EmbeddedChannel()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandlers([
            end, ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)),
            HTTPResponseEncoder(), Versions(end), counter,
        ])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        return (channel, counter)
    }

    private func answer(_ channel: EmbeddedChannel) throws -> String {
        channel.embeddedEventLoop.run()
        var text = ""
        while let part = try channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: part)
        }
        return text
    }

    @Test(arguments: ["xchunked", "gzip, chunked"])
    func `A body in parts other than chunks is refused with 400`(_ coding: String) throws {
        let (channel, counter) = try connect()
        _ = try? channel.writeInbound(
            ByteBuffer(string: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n")
        )
        #expect(try answer(channel).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(counter.heads.isEmpty && !channel.isActive)
    }

    /// By llhttp, for which Hummingbird answers.
    @Test(arguments: ["chunked, identity", "chunked\r\nTransfer-Encoding: x"])
    func `A body in chunks and then in something else is not a request`(_ coding: String) throws {
        let (channel, counter) = try connect()
        _ = try? channel.writeInbound(
            ByteBuffer(string: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n")
        )
        #expect(counter.heads.isEmpty)
    }

    @Test func `A body in chunks is read`() throws {
        let (channel, counter) = try connect()
        try channel.writeInbound(
            ByteBuffer(
                string: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n")
        )
        #expect(counter.heads.count == 1 && channel.isActive)
        _ = try channel.finish()
    }

    @Test func `Pipelined requests are answered up to a limit, the last with the reason`() throws {
        let (channel, counter) = try connect()
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        _ = try? channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 500)))
        #expect(counter.heads.count == Versions.mostUnanswered && channel.isActive)
        for _ in 0..<Versions.mostUnanswered {
            try channel.writeOutbound(
                HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok)))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }
        let answers = try answer(channel)
        #expect(answers.ranges(of: "HTTP/1.1 200 OK\r\n").count == Versions.mostUnanswered)
        #expect(answers.ranges(of: "HTTP/1.1 429 Too Many Requests\r\n").count == 1)
        #expect(answers.contains("Wait for answers") && !channel.isActive)
    }

    @Test func `Bytes after too many pipelined requests end the connection`() throws {
        let (channel, counter) = try connect()
        let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
        _ = try? channel.writeInbound(ByteBuffer(string: String(repeating: request, count: 9)))
        #expect(counter.heads.count == 8 && channel.isActive)
        _ = try? channel.writeInbound(ByteBuffer(string: request))
        #expect(counter.heads.count == 8 && !channel.isActive)
    }

    @Test func `Consecutive requests are all answered`() throws {
        let (channel, counter) = try connect()
        for number in 1...50 {
            try channel.writeInbound(ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\n\r\n"))
            #expect(counter.heads.count == number)
            try channel.writeOutbound(
                HTTPServerResponsePart.head(.init(version: .http1_1, status: .ok)))
            try channel.writeOutbound(HTTPServerResponsePart.end(nil))
        }
        _ = try channel.finish()
    }

    @Test func `Header fields longer than any browser's are refused with 431`() throws {
        let (channel, counter) = try connect()
        let field = String(repeating: "a,", count: Versions.longestFields / 2)
        _ = try? channel.writeInbound(
            ByteBuffer(string: "GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(field)\r\n\r\n"))
        #expect(try answer(channel).hasPrefix("HTTP/1.1 431 Request Header Fields Too Large\r\n"))
        #expect(counter.heads.isEmpty && !channel.isActive)
    }

    @Test func `CONNECT is refused, and what follows is discarded`() throws {
        let (channel, counter) = try connect()
        _ = try? channel.writeInbound(ByteBuffer(string: "CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n"))
        #expect(try answer(channel).hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        #expect(counter.heads.isEmpty && !channel.isActive)
    }

    /// The decoder would keep all of it for the other protocol's handler.
    @Test func `An upgrade request is answered as the last, and further bytes end it`() throws {
        let (channel, counter) = try connect()
        try channel.writeInbound(
            ByteBuffer(
                string: "POST / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n"
                    + "Content-Length: 4\r\n\r\nab"))
        try channel.writeInbound(ByteBuffer(string: "cd"))
        #expect(counter.heads.first?.headers["Connection"] == ["close"] && channel.isActive)
        try channel.writeInbound(ByteBuffer(repeating: 0x61, count: 65_536))
        channel.embeddedEventLoop.run()
        #expect(!channel.isActive)
    }
}
