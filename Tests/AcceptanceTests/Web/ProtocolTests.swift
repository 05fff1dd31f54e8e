import Foundation
import Testing

/// What HTTP itself requires of a server.
@Suite(.timeLimit(.minutes(2)))
struct ProtocolTests {
    @Test func `An address states its methods, and answers HEAD without a body`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let ann = ["-H", "Authorization: Bearer \(try await installation.token("ann"))"]
            for (path, method, allowed) in [
                ("/api/group.list", "GET", "POST"), ("/api/fix", "PUT", "POST"),
                ("/api/events", "POST", "GET, HEAD"), ("/api/export.zip", "DELETE", "GET, HEAD"),
                ("/session", "PATCH", "GET, HEAD, POST, DELETE"), ("/session/demo", "GET", "POST"),
                ("/session/passkey", "GET", "POST"),
                ("/config.json", "POST", "GET, HEAD"), ("/", "POST", "GET, HEAD"),
                ("/js/main.js", "DELETE", "GET, HEAD"),
                ("/api/groups/x/members/y/path.gpx", "POST", "GET, HEAD"),
            ] {
                let answer = try await site.curl(path, ["-X", method] + ann)
                #expect(answer.status == 405, "\(method) \(path): \(answer)")
                #expect(answer.headers["allow"] == allowed)
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
            for path in ["/nothing", "/api", "/api/a/b", "/api/groups/x"] {
                #expect(try await site.curl(path, ["-X", "PUT"] + ann).status == 404, "\(path)")
            }
            for (path, status) in [
                ("/healthz", 200), ("/config.json", 200), ("/", 200), ("/js/main.js", 200),
                ("/session", 200), ("/api/export.zip", 200), ("/metrics", 403),
                ("/api/events?topic=kith/users/ann/groups", 200), ("/nothing", 404),
            ] {
                let answer = try await site.curl(path, ["-I"] + ann)
                #expect(answer.status == status, "\(path): \(answer)")
                #expect(answer.body.isEmpty)
            }
        }
    }

    @Test func `An HTTP 1.0 client gets no chunks, and a newer request must name one host`()
        async throws
    {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let token = try await installation.token("ann")
            let ann = ["-H", "Authorization: Bearer \(token)"]
            let old = try await site.raw(
                "GET /api/export.zip HTTP/1.0\r\nAuthorization: Bearer \(token)\r\n\r\n")
            #expect(old.hasPrefix("HTTP/1.0 200 OK\r\n"), "\(old.prefix(200))")
            #expect(!old.lowercased().contains("transfer-encoding"))
            #expect(old.contains("\r\n\r\nPK"))
            let new = try await site.curl("/api/export.zip", ann + ["-o", "/dev/null", "-D", "-"])
            #expect(new.headers["transfer-encoding"] == "chunked")

            #expect(try await site.curl("/", ["-H", "Host:"]).status == 400)
            #expect(try await site.curl("/", ["--http1.0", "-H", "Host:"]).status == 200)
            let twice = try await site.raw("GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n")
            #expect(twice.hasPrefix("HTTP/1.1 400 Bad Request\r\n"))
        }
    }

    /// Comparing them takes time quadratic in their number.
    @Test func `A header with many combining marks in a row is refused`() async throws {
        try await withSite { _, site in
            for (count, status) in [(30, "200 OK"), (31, "400 Bad Request")] {
                let value = "kith=a" + String(repeating: "\u{301}", count: count)
                let answer = try await site.raw(
                    "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Note: \(value)\r\n\r\n")
                #expect(answer.hasPrefix("HTTP/1.1 \(status)\r\n"), "\(answer.prefix(200))")
            }
        }
    }
}

extension Site {
    /// The response to these bytes, until the connection is closed.
    fileprivate func raw(_ request: String) async throws -> String {
        let script = """
            import socket, sys
            with socket.create_connection(("127.0.0.1", int(sys.argv[1])), 20) as connection:
                connection.sendall(sys.argv[2].encode())
                answer = b""
                while piece := connection.recv(65536):
                    answer += piece
                sys.stdout.write(answer.decode("latin-1"))
            """
        return try await Program.succeed("python3", ["-c", script, "\(port)", request])
    }
}
