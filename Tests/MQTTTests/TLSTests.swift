import Foundation
import MQTT
import TestBroker
import TestSupport
import Testing

/// Over TLS, waiting data may already be decrypted and no longer visible at the socket.
@Suite(.serialized, .timeLimit(.minutes(1)), .enabled(if: Authority.tool != nil, "needs openssl"))
struct TLSTests {
    @Test func `Messages are read in small batches, held and redelivered`() async throws {
        try await withTLSBroker { broker, authority in
            let configure = { (options: inout ConnectionOptions) in
                options.tls = .init(authorities: authority)
                options.cleanStart = false
                options.sessionExpiry = 3600
            }
            let bridge = try Peer("bridge", at: broker, configure: configure)
            try bridge.connect()
            try bridge.subscribe(to: "up/#")
            let sender = try Peer("sender", at: broker) { $0.tls = .init(authorities: authority) }
            try sender.connect()
            for number in 1...500 {
                try sender.connection.publish(
                    topic: "up/x", payload: Array("\(number)".utf8), qos: .atLeastOnce)
            }
            try turn(sender) { sender.confirmations.count == 500 }

            // All of it waits by now, so that no wait has a reason to sleep.
            let start = ContinuousClock.now
            var numbers: [String] = []
            while numbers.count < 500 {
                try bridge.connection.wait(atMost: 30_000)
                let batch = bridge.connection.receive(atMost: 7)
                #expect(batch.count <= 7)
                numbers += batch.map { String(decoding: $0.payload, as: UTF8.self) }
            }
            #expect(ContinuousClock.now - start < .seconds(20))
            #expect(numbers == (1...500).map { "\($0)" })

            try bridge.cutTheLine()
            try bridge.connect()
            try turn(bridge) { bridge.messages.count == 500 }
            #expect(bridge.payloads == numbers)
        }
    }

    @Test func `An untrusted broker is refused`() async throws {
        try await withTLSBroker { broker, _ in
            let peer = try Peer("peer", at: broker) { $0.tls = .init() }
            do {
                try peer.connect()
                try turn(peer) { peer.connection.fileDescriptor == -1 }
                #expect(peer.disconnections.count == 1)
            } catch let error as MQTTError {
                #expect(error.reason == "A TLS error occurred.")  // The broker was quick.
            }
            #expect(!peer.connection.isConnected)
        }
    }

    private func withTLSBroker(
        _ body: (TestBroker, _ authority: String) async throws -> Void
    ) async throws {
        try await withTemporaryDirectory { directory in
            let authority = try Authority(directory)
            try await withBroker(changing: { $0 + authority.listenerOptions }) { broker in
                try await body(broker, authority.certificate)
            }
        }
    }
}

/// A self-signed certificate for 127.0.0.1, made for one test.
struct Authority {
    static let tool = ["/usr/bin/openssl", "/usr/local/bin/openssl"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    let certificate: String
    let key: String

    init(_ directory: String) throws {
        certificate = directory + "/certificate.pem"
        key = directory + "/key.pem"
        let openssl = Process()
        openssl.executableURL = URL(fileURLWithPath: try #require(Self.tool))
        openssl.arguments =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
            .split(separator: " ").map(String.init)
            + ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
            + ["-keyout", key, "-out", certificate]
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        try #require(openssl.terminationStatus == 0)
    }

    var listenerOptions: String { "certfile \(certificate)\nkeyfile \(key)\n" }
}
