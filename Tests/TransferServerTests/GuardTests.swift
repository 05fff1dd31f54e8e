import TestServers
import TestSupport
import Testing
import Transfer

/// A user who may name a destination must not name an internal one.
@Suite(.timeLimit(.minutes(1))) struct GuardTests {
    private let client = TransferClient()

    private func attempt(
        _ url: String, _ policy: AddressPolicy, authorities: String? = nil
    ) async -> TransferError? {
        await failure { () throws(TransferError) in
            try await client.send(
                HTTPRequest(
                    to: Endpoint(url), addresses: policy, limits: patient, authorities: authorities)
            )
        }
    }

    /// Host names are resolved and odd spellings parsed before the guard checks them.
    @Test(arguments: [
        "localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "0.0.0.0",
        "0", "[::]", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
        "[64:ff9b::127.0.0.1]", "[2002:7f00:1::]", "user:password@127.0.0.1", "10.0.0.1",
        "169.254.169.254", "192.168.1.1", "[fe80::1]", "[fd00::1]", "255.255.255.255",
        "224.0.0.1", "LOCALHOST",
    ])
    func `No name or spelling reaches an internal address`(_ host: String) async throws {
        try await withServer("http_server.py") { port in
            #expect(await attempt("https://\(host):\(port)/", .publicOnly) == .refusedAddress)
        }
    }

    /// Some systems resolve these, and others do not.
    @Test(arguments: ["localhost.", "①②⑦.⓪.⓪.①", "localhost.localdomain", "ip6-localhost"])
    func `Spellings that only some systems resolve reach no internal address`(_ host: String)
        async throws
    {
        try await withServer("http_server.py") { port in
            let error = await attempt("https://\(host):\(port)/", .publicOnly)
            #expect([.refusedAddress, .unresolvable, .invalid(.url)].contains(error))
        }
    }

    @Test func `Plain HTTP reaches only addresses that the operator allows`() async throws {
        try await withServer("http_server.py") { port in
            let url = "http://127.0.0.1:\(port)/status/200"
            let other = AddressPolicy.publicAddresses(besides: [
                try #require(AddressBlock("127.0.0.2"))
            ])
            #expect(await attempt(url, .publicOnly) == .refusedAddress)
            #expect(await attempt(url, other) == .refusedAddress)
            #expect(await attempt(url, loopback) == nil)
            // A public address, so it is never contacted.
            #expect(await attempt("http://1.1.1.1/", .publicOnly) == .refusedAddress)
        }
    }

    @Test func `A connection is not reused under a stricter address policy`() async throws {
        try await withServer("http_server.py") { port in
            let url = "http://127.0.0.1:\(port)/status/200"
            #expect(await attempt(url, .any) == nil)
            #expect(await attempt(url, .publicOnly) == .refusedAddress)
            #expect(await attempt(url, .any) == nil)
        }
    }

    @Test func `A certificate must be trusted and name this host`() async throws {
        try await withTemporaryDirectory { directory in
            let (certificate, key) = try await makeCertificate(in: directory)
            try await withServer("http_server.py", [certificate, key]) { port in
                let url = "https://127.0.0.1:\(port)/status/200"
                #expect(await attempt(url, loopback, authorities: certificate) == nil)
                #expect(await attempt(url, loopback) == .tls)
                let otherName = "https://localhost:\(port)/status/200"
                #expect(await attempt(otherName, loopback, authorities: certificate) == .tls)
                #expect(
                    await attempt(url, loopback, authorities: directory + "/nothing") == .tls)
            }
            try await withServer("http_server.py") { port in
                #expect(await attempt("https://127.0.0.1:\(port)/", loopback) == .tls)
            }
        }
    }
}
