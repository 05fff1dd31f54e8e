import Testing

@testable import Directory

struct ServerTests {
    @Test(arguments: [
        ("ldaps://ldap.example.org", "ldap.example.org", 636, DirectoryServer.Security.tls),
        ("LDAPS://ldap.example.org:1636/", "ldap.example.org", 1636, .tls),
        ("ldap://ldap.example.org", "ldap.example.org", 389, .startTLS),
        ("ldap://127.0.0.1", "127.0.0.1", 389, .none),
        ("ldap://localhost:3890", "localhost", 3890, .none),
        ("ldap://[::1]:3890", "::1", 3890, .none),
        ("ldap://[2001:db8::1]", "2001:db8::1", 389, .startTLS),
        // Not this machine, although it looks like it.
        ("ldap://127.0.0.1.example.org", "127.0.0.1.example.org", 389, .startTLS),
        ("ldap://localhost.example.org", "localhost.example.org", 389, .startTLS),
    ])
    func `A connection is encrypted unless it is to this machine`(
        _ url: String, _ host: String, _ port: Int, _ security: DirectoryServer.Security
    ) throws {
        let server = try #require(DirectoryServer(url))
        #expect(server.host == host)
        #expect(server.port == port)
        #expect(server.security == security)
    }

    @Test func `Default security can be overridden where the scheme allows it`() {
        #expect(DirectoryServer("ldap://127.0.0.1", .startTLS)?.security == .startTLS)
        #expect(
            DirectoryServer("ldap://ldap.example.org", DirectoryServer.Security.none)?.security
                == DirectoryServer.Security.none)
        #expect(DirectoryServer("ldaps://ldap.example.org", DirectoryServer.Security.none) == nil)
        #expect(DirectoryServer("ldaps://ldap.example.org", .startTLS) == nil)
        #expect(DirectoryServer("ldap://ldap.example.org", .tls) == nil)
    }

    @Test(arguments: [
        "", "ldap.example.org", "http://ldap.example.org", "ldapi:///", "ldap://", "ldap://:389",
        "ldap://a:0", "ldap://a:65536", "ldap://a:x", "ldap://a/dc=b", "ldap://a b", "ldap://u@a",
        "ldap://a,ldap://b", "ldap://[::1", "ldap://ä.example.org",
    ])
    func `A malformed address is refused`(_ url: String) { #expect(DirectoryServer(url) == nil) }

    /// A server treats a bind without a password as anonymous and accepts it (RFC 4513, 5.1.2).
    @Test(arguments: [[], [0], Array("a\0b".utf8), Array("\0".utf8)])
    func `An empty or NUL password is rejected without a query`(_ password: [UInt8]) throws {
        let filter = try #require(DirectoryPattern("(uid={user})", .filter))
        // Nothing listens there: asking would fail.
        let server = DirectoryServer(host: "127.0.0.1", port: 1, security: .none)
        for bind in [nil, DirectoryPattern("uid={user},dc=org", .name)] {
            let client = DirectoryClient(
                DirectorySettings(server: server, base: "dc=org", bind: bind, filter: filter))
            #expect(try client.authenticate("anna", password: password) == nil)
        }
    }

    /// Logs name kinds, never people.
    @Test func `An error names no user`() {
        for error in [
            DirectoryError.unresolvable, .unreachable, .timedOut, .tls, .accountRefused,
            .redirected,
            .baseMissing, .incomplete, .malformed, .failed(53),
        ] {
            #expect(!"\(error)".contains("anna"))
            #expect("\(error)".hasSuffix("."))
        }
    }
}
