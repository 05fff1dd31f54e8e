import Testing

@testable import Transfer

struct RequestTests {
    @Test(arguments: [
        ("https://example.org/a?b#c", "example.org", 443, true),
        ("HTTP://Example.ORG:8080", "example.org", 8080, false),
        ("https://user:password@example.org/", "example.org", 443, true),
        ("https://[2001:DB8::1]:8443/", "[2001:db8::1]", 8443, true),
        ("https://127.1/", "127.0.0.1", 443, true),
    ])
    func `An endpoint has a host and a port`(
        _ url: String, _ host: String, _ port: Int, _ isEncrypted: Bool
    ) throws {
        let endpoint = try Endpoint(url)
        #expect(endpoint.host == host)
        #expect(endpoint.port == port)
        #expect(endpoint.isEncrypted == isEncrypted)
    }

    @Test(arguments: [
        "", "example.org", "//example.org", "ftp://example.org/", "file:///etc/passwd",
        "gopher://example.org/", "smtp://example.org/", "dict://example.org:11211/",
        "https://", "https://example.org:99999/", "https://example.org:0/",
        "https://exam\r\nple.org/", "https://example.org/\r\nX: y", "https://example.org/\u{0}",
        "https://example.org/a b", "https://[::1/", "javascript:alert(1)",
        "https://example.org/" + String(repeating: "a", count: 2048),
    ])
    func `A URL that is not a valid HTTP URL is refused`(_ url: String) {
        #expect(throws: TransferError.invalid(.url)) { try Endpoint(url) }
    }

    @Test(arguments: [
        ("", "x"), ("A", ""), ("A B", "x"), ("A:", "x"), ("A\r\nB", "x"), ("Ž", "x"),
        ("A", "x\r\nB: y"), ("A", "x\ny"), ("A", "x\ry"), ("A", "x\u{0}y"), ("A", " x"),
        ("A", "x\t"), ("A", "x\u{7F}"), ("A", "x\u{1B}"),
    ])
    func `A header that contains anything that could end it is refused`(
        _ name: String, _ value: String
    ) {
        #expect(throws: TransferError.invalid(.header)) { try HTTPRequest.Header(name, value) }
    }

    @Test func `A body has a maximum size`() throws {
        let endpoint = try Endpoint("https://example.org")
        _ = try HTTPRequest(to: endpoint, body: Array(repeating: 0, count: 1 << 20))
        #expect(throws: TransferError.invalid(.size)) {
            try HTTPRequest(to: endpoint, body: Array(repeating: 0, count: 1 << 20 + 1))
        }
    }

    @Test(arguments: [
        "", "ann", "@example.org", "ann@", "ann@b@c", "ann@example.org\r\nRCPT TO:<b@c>",
        "ann@example.org>\r\n", "<ann@example.org>", "ann@example.org ", "a nn@example.org",
        "ann@example.org\u{0}", "žan@example.org", "\"ann\"@example.org", "ann,ben@example.org",
        String(repeating: "a", count: 251) + "@b.c",
    ])
    func `An envelope address with other text in it is refused`(_ address: String) throws {
        let server = try MailServer(host: "mail.example.org", port: 587, security: .startTLS)
        #expect(throws: TransferError.invalid(.address)) {
            try MailSubmission(by: server, from: "a@b.c", to: address, message: [13, 10])
        }
        #expect(throws: TransferError.invalid(.address)) {
            try MailSubmission(by: server, from: address, to: "a@b.c", message: [13, 10])
        }
    }

    /// Some servers treat a lone line feed as the end of a line, and what follows as commands.
    @Test(arguments: [
        "", "a", "a\n", "a\r", "a\r\n.\n", "a\n.\r\n", "a\r\r\n", "a\n\r\n", "a\u{0}\r\n", "\n\r",
    ])
    func `A message with line ends unlike mail's is refused`(_ message: String) throws {
        let server = try MailServer(host: "mail.example.org", port: 587, security: .startTLS)
        #expect(throws: TransferError.invalid(.lines)) {
            try MailSubmission(by: server, from: "a@b.c", to: "a@b.c", message: Array(message.utf8))
        }
    }

    @Test(arguments: [
        "", "a b", "a/b", "user@host", "a?b", "a#b", "a\r\nb", "a:b", "[::1]", "a%b", "1::2::3",
        String(repeating: "a", count: 254),
    ])
    func `A mail server without a valid host, port or login is refused`(_ host: String) throws {
        #expect(throws: TransferError.invalid(.server)) {
            try MailServer(host: host, port: 25, security: .tls)
        }
        for port in [-1, 0, 65_536] {
            #expect(throws: TransferError.invalid(.server)) {
                try MailServer(host: "a", port: port, security: .tls)
            }
        }
        #expect(try MailServer(host: "::1", port: 25, security: .tls).host == "[::1]")
        #expect(throws: TransferError.invalid(.credentials)) {
            try MailServer(
                host: "a", port: 25, security: .tls, login: .init(user: "a", password: "b\r\n"))
        }
    }
}
