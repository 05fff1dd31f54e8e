import Glibc
import TestBroker
import TestSupport
import Testing
import Transfer

@Suite(.timeLimit(.minutes(1))) struct HTTPTests {
    private let client = TransferClient()

    private func get(_ path: String, _ port: Int, _ limits: TransferLimits = patient)
        async throws(TransferError) -> HTTPResponse
    {
        try await client.send(
            HTTPRequest(
                .get, to: Endpoint("http://127.0.0.1:\(port)/\(path)"), addresses: loopback,
                limits: limits))
    }

    @Test func `A receiver sees exactly what was sent, and nothing of the environment`()
        async throws
    {
        setenv("http_proxy", "http://127.0.0.1:1", 1)
        setenv("all_proxy", "http://127.0.0.1:1", 1)
        defer {
            unsetenv("http_proxy")
            unsetenv("all_proxy")
        }
        try await withServer("http_server.py") { port in
            let body = Array("a\0b\r\n@c".utf8)
            let response = try await client.send(
                HTTPRequest(
                    to: Endpoint("http://127.0.0.1:\(port)/echo?q=1"),
                    headers: [.init("TTL", "60"), .init("X-Name", "Žan: one, two")], body: body,
                    addresses: loopback, limits: patient))
            #expect(response.status == 200)
            guard
                case .object(let seen) = JSON(
                    parsing: String(decoding: response.body, as: UTF8.self)),
                case .object(let headers)? = seen["headers"]
            else { throw NoObject() }
            #expect(seen["method"] == .string("POST"))
            #expect(seen["body"] == .string("a\0b\r\n@c"))
            #expect(headers["ttl"] == .string("60"))
            #expect(
                Set(headers.keys)
                    == ["accept", "content-length", "host", "ttl", "user-agent", "x-name"])
            #expect(headers["user-agent"] == .string("Kith"))
        }
    }

    @Test func `An empty body is sent with length 0`() async throws {
        try await withServer("http_server.py") { port in
            let response = try await client.send(
                HTTPRequest(
                    to: Endpoint("http://127.0.0.1:\(port)/echo"), addresses: loopback,
                    limits: patient))
            let text = String(decoding: response.body, as: UTF8.self)
            #expect(text.contains(#""content-length": "0""#), "\(text)")
        }
    }

    @Test func `Any status is a response, and may carry Retry-After`() async throws {
        try await withServer("http_server.py") { port in
            for status in [200, 201, 404, 410, 429, 500, 503] {
                #expect(try await get("status/\(status)", port).status == status)
            }
            #expect(try await get("status/200", port).retryAfter == nil)
            #expect(try await get("retry/120", port).retryAfter == .seconds(120))
            #expect(try await get("retry/99999999", port).retryAfter == .seconds(86_400))
            #expect(try await get("retry/-5", port).retryAfter == nil)
            #expect(try await get("retry/soon", port).retryAfter == nil)
            let response = try await get("retry-at/1000", port)
            #expect(response.status == 503)
            let delay = try #require(response.retryAfter)
            #expect(delay <= .seconds(1001) && delay > .seconds(900))
        }
    }

    @Test func `A redirect fails and is not followed`() async throws {
        try await withServer("http_server.py") { port in
            for status in [301, 302, 303, 307, 308] {
                #expect(
                    await failure { () throws(TransferError) in
                        try await get("redirect/\(status)", port)
                    } == .redirected)
            }
            let counts = try await get("counts", port)
            #expect(String(decoding: counts.body, as: UTF8.self).contains(#""reached": 0"#))
        }
    }

    @Test func `An endless response is read in part, and its status counts`() async throws {
        try await withServer("http_server.py") { port in
            for status in [200, 410] {
                let response = try await get("big/\(status)", port)
                #expect(response.status == status)
                #expect(response.body == Array(repeating: UInt8(ascii: "x"), count: 4096))
            }
            let counts = String(decoding: try await get("counts", port).body, as: UTF8.self)
            let written = try #require(
                counts.firstMatch(of: /"written": (\d+)/).flatMap { Int($0.output.1) })
            #expect(written > 0 && written < 100_000_000)
            #expect(
                await failure { () throws(TransferError) in try await get("head", port) }
                    == .tooLarge)
            #expect(
                await failure { () throws(TransferError) in try await get("informed", port) }
                    == .tooLarge)
        }
    }

    @Test func `A status counts even if the body never ends`() async throws {
        try await withServer("http_server.py") { port in
            let limits = TransferLimits(connecting: .seconds(25), total: .seconds(5))
            let response = try await get("unfinished/201", port, limits)
            #expect(response.status == 201)
        }
    }

    @Test func `Transport failures are distinct errors`() async throws {
        try await withServer("http_server.py") { port in
            #expect(
                await failure { () throws(TransferError) in
                    try await get("hang", port, impatient)
                } == .timedOut)
            #expect(
                await failure { () throws(TransferError) in try await get("drop", port) }
                    == .brokenOff)
            #expect(
                await failure { () throws(TransferError) in try await get("garbage", port) }
                    == .protocolViolation)
        }
        let gone = Int(try reservePort())
        #expect(
            await failure { () throws(TransferError) in try await get("", gone) } == .unreachable)
        #expect(
            await failure { () throws(TransferError) in
                try await client.send(
                    HTTPRequest(to: Endpoint("https://nobody.invalid/"), limits: patient))
            } == .unresolvable)
    }

    private struct NoObject: Error {}
}
