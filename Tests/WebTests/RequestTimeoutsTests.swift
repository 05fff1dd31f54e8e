import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import Web

/// How long a client may take for a request, by the test's clock.
struct RequestTimeoutsTests {
    private let limits = WebSettings.Limits()

    private func connect(_ body: (EmbeddedChannel) throws -> Void) throws {
        let channel = EmbeddedChannel(
            handler: RequestTimeouts(limits, ConnectionCounts(maximum: nil, all: 100)))
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        try body(channel)
        if channel.isActive { _ = try channel.finish() }
    }

    private let head = HTTPRequestPart.head(
        HTTPRequest(method: .post, scheme: "http", authority: "x", path: "/api/fix"))

    @Test func `A missing head is waited for until its time limit`() throws {
        try connect { channel in
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
            #expect(channel.isActive)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
        }
    }

    @Test func `A request whose body trickles in is ended`() throws {
        try connect { channel in
            try channel.writeInbound(head)
            for _ in 0..<29 {
                channel.embeddedEventLoop.advanceTime(by: .seconds(1))
                try channel.writeInbound(HTTPRequestPart.body(ByteBuffer(string: "a")))
                #expect(channel.isActive)
            }
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
        }
    }

    @Test func `A complete request waits for its answer without a limit`() throws {
        try connect { channel in
            try channel.writeInbound(head)
            try channel.writeInbound(HTTPRequestPart.end(nil))
            channel.embeddedEventLoop.advanceTime(by: .hours(1))
            #expect(channel.isActive)
        }
    }
}
