import Foundation
import TestBroker
import TestSupport
import Testing

/// Attacks that are refused.
@Suite(.timeLimit(.minutes(3)))
struct AttackTests {
    private func login(_ site: Site, _ arguments: [String]) async throws -> Site.Answer {
        _ = try await site.curl(
            "/api/account.register",
            [
                "-d",
                """
                {"username":"ann","email":"ann@example.org","password":"correct horse",
                "firstName":"Ann","lastName":"Lake","acceptTerms":true}
                """,
            ])
        return try await site.curl(
            "/session",
            ["-d", #"{"login":"ann","password":"correct horse","device":"laptop"}"#] + arguments)
    }

    @Test func `The cookie is out of scripts' reach, and other sites cannot use it`() async throws {
        try await withSite { _, site in
            let foreign = [
                "-H", "Origin: https://evil.example", "-H", "Content-Type: application/json",
            ]
            #expect(try await login(site, foreign).status == 403)
            #expect(try await login(site, ["-H", "Content-Type: application/json"]).status == 403)
            let session = try await login(site, Site.sameSite)
            #expect(session.status == 200)
            #expect(!session.body.contains("token"))
            let cookie = try #require(session.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
            let sent = ["-b", String(cookie.prefix { $0 != ";" })]
            let body = ["-d", #"{"name":"Mine"}"#]
            for bad in [
                foreign, ["-H", "Content-Type: application/json"],
                ["-H", "Sec-Fetch-Site: cross-site", "-H", "Content-Type: application/json"],
                ["-H", "Sec-Fetch-Site: same-site", "-H", "Content-Type: application/json"],
                ["-H", "Origin: null", "-H", "Content-Type: application/json"],
                [
                    "-H", "Origin: http://127.0.0.1:1", "-H", "Content-Type: application/json",
                ],
            ] {
                let answer = try await site.curl("/api/group.create", sent + body + bad)
                #expect(answer.status == 403, "\(bad): \(answer)")
            }
            // Another tab has logged in as a user other than the page shows.
            let mistaken = ["-H", "Kith-User: ben"] + Site.sameSite
            let wrong = try await site.curl("/api/group.create", sent + body + mistaken)
            #expect(wrong.status == 409)
            let notOut = try await site.curl("/session", sent + ["-X", "DELETE"] + mistaken)
            #expect(notOut.status == 409)
            // A form can send this without a CORS preflight.
            let form = try await site.curl(
                "/api/group.create",
                sent + body + [
                    "-H", "Sec-Fetch-Site: same-origin", "-H", "Content-Type: text/plain",
                ])
            #expect(form.status == 415)
            let out = try await site.curl("/session", sent + ["-X", "DELETE"] + foreign)
            #expect(out.status == 403)
            let list = try await site.curl("/api/group.list", sent + ["-d", "{}"] + Site.sameSite)
            #expect(list.json["groups"].elements.isEmpty && list.status == 200)
            let own = ["-H", "Origin: \(site.address)", "-H", "Content-Type: application/json"]
            #expect(try await site.curl("/api/group.create", sent + body + own).status == 200)
        }
    }

    @Test func `A session cannot be fixated, and its end is final`() async throws {
        try await withSite { _, site in
            let planted = "kith=ann.laptop.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            #expect(try await site.curl("/session", ["-b", planted]).status == 401)
            let session = try await login(site, Site.sameSite + ["-b", planted])
            let cookie = try #require(session.headers["set-cookie"]?.prefix { $0 != ";" })
            #expect(cookie != planted)
            let sent = ["-b", String(cookie)]
            #expect(try await site.curl("/session", sent).status == 200)
            let out = try await site.curl("/session", sent + ["-X", "DELETE"] + Site.sameSite)
            #expect(out.status == 204)
            #expect(out.headers["set-cookie"]?.contains("Max-Age=0") == true)
            _ = try await eventually("a dead cookie") { () -> Bool? in
                try await site.curl("/session", sent).status == 401 ? true : nil
            }
        }
    }

    @Test func `Files beside the pages are not served`() async throws {
        try await withSite { _, site in
            for path in [
                "/../kith.db", "/..%2f..%2fetc/passwd", "/%2e%2e/%2e%2e/etc/passwd",
                "//etc/passwd", "/js/../../Package.swift", "/leaflet/../../../../etc/passwd",
                "/js/%00", "/.git/config", "/leaflet/..%5c..%5cetc", "/js/", "/tokens/operator",
            ] {
                let answer = try await site.curl(path)
                #expect([400, 404].contains(answer.status), "\(path): \(answer)")
                #expect(!answer.body.contains("root:"))
            }
        }
    }

    @Test func `Oversized bodies and heads are refused, and other requests continue`() async throws
    {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let token = try await installation.token("ann")
            let file = installation.directory + "/large"
            try Data(repeating: 0x20, count: 5_000_000).write(to: URL(fileURLWithPath: file))
            let large = try await site.curl(
                "/api/group.create",
                [
                    "-H", "Authorization: Bearer \(token)", "-H", "Expect:", "--data-binary",
                    "@\(file)",
                ])
            #expect(large.status == 413)
            let chunked = try await site.curl(
                "/api/fix",
                [
                    "-H", "Authorization: Bearer \(token)", "-H", "Expect:", "-H",
                    "Transfer-Encoding: chunked", "--data-binary", "@\(file)",
                ])
            #expect(chunked.status == 413)
            // Guests share connections: one that sends too much must not disconnect the others.
            let guest = String(repeating: " ", count: 5000)
            let long = try await site.curl("/api/account.register", ["-d", guest])
            #expect(long.status == 413)
            let login = #"{"login":"ann","password":"no password","device":"xx"}"#
            #expect(try await site.curl("/api/account.login", ["-d", login]).status == 401)
            let head = try await Program.run(
                "curl",
                ["-s", "-i", "-H", "X: \(String(repeating: "a", count: 100_000))", site.address])
            #expect(!head.output.hasPrefix("HTTP/1.1 200"))
            #expect(try await site.ask(token, "group.list").status == 200)
        }
    }

    @Test func `A request that trickles in is ended`() async throws {
        try await withSite { _, site in
            // A byte a second of an endless head; for bodies see `RequestTimeoutsTests`.
            let script = """
                import socket, sys, time
                connection = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
                connection.sendall(b"GET / HTTP/1.1\\r\\nHost: x\\r\\nX: ")
                begin = time.time()
                connection.settimeout(1)
                while time.time() - begin < 60:
                    try:
                        connection.sendall(b"a")
                        if connection.recv(4096) == b"":
                            break
                    except socket.timeout:
                        continue
                    except OSError:
                        break
                print(time.time() - begin)
                """
            let output = try await Program.succeed("python3", ["-c", script, "\(site.port)"])
            // The limit is 10 s; a head has less time than an idle connection.
            #expect(Double(output.trimmed) ?? 99 < 25)
        }
    }

    @Test func `An address with too many requests or connections waits; others do not`()
        async throws
    {
        let settings = [
            "KITH_WEB_REQUESTS_OF_ADDRESS": "5", "KITH_WEB_CONNECTIONS_OF_ADDRESS": "3",
        ]
        try await withSite(settings) { _, site in
            // In one connection, so that the allowance has no time to refill.
            func statuses(of path: String) async throws -> [Substring] {
                try await Program.succeed(
                    "curl",
                    [
                        "-s", "-o", "/dev/null", "-w", "%{http_code} ",
                        "\(site.address)\(path)?[1-60]",
                    ]
                ).split(separator: " ")
            }
            // A visitor opens the page, which is many files.
            #expect(Set(try await statuses(of: "/index.html")) == ["200"])
            let statuses = try await statuses(of: "/config.json")
            #expect(statuses.count == 60 && statuses.first == "200")
            #expect(statuses.contains("429"))
            // Connections that have just ended may count for a moment, so more than three may be
            // closed.
            let script = """
                import select, socket, sys, time
                address = ("127.0.0.1", int(sys.argv[1]))
                for attempt in range(20):
                    waiting = [socket.create_connection(address) for _ in range(6)]
                    closed = 0
                    end = time.time() + 8
                    while closed < 3 and time.time() < end:
                        for connection in select.select(waiting, [], [], 0.5)[0]:
                            waiting.remove(connection)
                            closed += 1
                    time.sleep(0.3)
                    closed += len(select.select(waiting, [], [], 0)[0])
                    if closed <= 3:
                        break
                    for connection in waiting:
                        connection.close()
                    time.sleep(0.3)
                print(closed)
                """
            let closed = try await Program.succeed("python3", ["-c", script, "\(site.port)"])
            #expect(closed.trimmed == "3")
        }
    }

    @Test func `Password attempts are limited`() async throws {
        try await withSite { _, site in
            // All at once: sending one after the other would leave the allowance time to refill.
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<30 {
                    group.addTask {
                        let body = """
                            {"login":"user\(number)","password":"wrong password","device":"xx"}
                            """
                        return try await site.curl("/session", Site.sameSite + ["-d", body]).status
                    }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(statuses.contains(401) && statuses.contains(429), "\(statuses)")
        }
    }

    @Test func `The policy lets browsers run only the page's own code`() async throws {
        try await withSite(["KITH_WEB_TILES": "https://tiles.example.org/{z}/{x}/{y}.png"]) {
            _, site in
            let page = try await site.curl("/")
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
            #expect(policy.contains("img-src 'self' data: https://tiles.example.org;"))
            #expect(page.headers["x-content-type-options"] == "nosniff")
            #expect(page.headers["referrer-policy"] == "strict-origin-when-cross-origin")
            #expect(!page.body.contains("<script>") && !page.body.contains("style="))
            let problem = try await site.curl("/api/group.list", ["-d", "{}"])
            #expect(problem.headers["content-security-policy"] == policy)
            #expect(problem.headers["cache-control"] == "no-store")
        }
    }

    @Test func `Only the operator and the metrics client may read the metrics`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "wilma")
            let token = try await installation.token("wilma")
            let asUser = ["-H", "Authorization: Bearer \(token)"]
            #expect(try await site.curl("/metrics").status == 401)
            #expect(try await site.curl("/metrics", asUser).status == 403)
            _ = try await site.ask(token, "group.create", #"{"name":"Family"}"#)
            let path = installation.directory + "/tokens/operator"
            let secret = try String(contentsOfFile: path, encoding: .utf8).trimmed
            let asOperator = ["-H", "Authorization: Bearer \(secret)"]
            let metrics = try await eventually("requests") { () -> Site.Answer? in
                let answer = try await site.curl("/metrics", asOperator)
                return answer.body.contains("kith_requests_total 1\n") ? answer : nil
            }
            #expect(metrics.body.contains(#"kith_turn_seconds_bucket{le="+Inf"}"#))
            #expect(metrics.body.contains("kith_web_visitors"))
            #expect(!metrics.body.contains("wilma"))
            // Everything that the broker retains, each time.
            let first = metrics.body.split(separator: "\n").count
            let again = try await site.curl("/metrics", asOperator)
            #expect(again.body.split(separator: "\n").count >= first)
            for name in ["operator", "metrics"] {
                let forged = "kith:\(name).\(String(repeating: "A", count: 43))"
                let stranger = ["-H", "Authorization: Bearer \(forged)"]
                #expect(try await site.curl("/metrics", stranger).status == 401)
            }
        }
    }

    @Test func `The log names no users`() async throws {
        try await withSite { installation, site in
            try await installation.kith("user", "add", "ann")
            let token = try await installation.token("ann")
            _ = try await site.ask(token, "group.create", #"{"name":"Secret"}"#)
            _ = try await site.ask("ann.phone.\(String(repeating: "A", count: 43))", "group.list")
            _ = try await site.curl("/api/events?topic=kith/users/ann/groups")
            let log = site.program.lines.joined(separator: "\n")
            #expect(!log.contains("ann") && !log.contains("Secret") && !log.contains(token))
        }
    }
}
