import Foundation
import TestBroker
import TestSupport
import Testing

/// What docs/proxies.md has in front of the page, by Debian's own packages.
@Suite(.timeLimit(.minutes(3)))
struct ProxyTests {
    @Test(arguments: Proxy.allCases) func `The page works behind a proxy as documented`(
        _ proxy: Proxy
    ) async throws {
        try await withSite(behind: proxy) { installation, site, ports in
            let page = try await site.curl("/", site.tls)
            #expect(page.status == 200 && page.body.contains("<html"), "\(page)")
            #expect(page.headers["strict-transport-security"] != nil)
            let plain = try await Program.succeed(
                "curl",
                [
                    "-s", "-o", "/dev/null", "-w", "%{http_code} %{redirect_url}",
                    "--resolve", "\(Proxy.name):\(ports.http):127.0.0.1",
                    "http://\(Proxy.name):\(ports.http)/",
                ])
            #expect(plain.hasPrefix("30") && plain.contains(" https://\(Proxy.name)"), "\(plain)")

            try await expectLogin(at: site)
            let group = try await installation.family("ann", "ben")
            try await expectEvents(installation, site, group)
            try await expectLargeRequests(site, try await installation.token("ann"))
            try await expectHonestAddresses(at: site)
        }
    }

    @Test func `The script copies a certificate for phones, with its key`() async throws {
        let blocks = try Document("docs/proxies.md").blocks
        let script = try #require(blocks.first { $0.firstLine == "#!/bin/sh" })
        try await withTemporaryDirectory { directory in
            let live = "/etc/letsencrypt/live/\(Proxy.name)"
            let text = script.text.replacing(live, with: directory)
                .replacing("/var/lib/kith/certificates", with: directory + "/to")
                // The package's user is not on every machine.
                .replacing("-o kith -g kith ", with: "")
            for content in ["first", "second", "second"] {
                for name in ["fullchain", "privkey"] {
                    try "\(content) \(name)".write(
                        toFile: "\(directory)/\(name).pem", atomically: true, encoding: .utf8)
                }
                try await Program.succeed("sh", ["-c", text])
                for (file, name) in [("server.crt", "fullchain"), ("server.key", "privkey")] {
                    let brought = try String(
                        contentsOfFile: "\(directory)/to/\(file)", encoding: .utf8)
                    #expect(brought == "\(content) \(name)")
                }
            }
            let rights = try FileManager.default.attributesOfItem(
                atPath: directory + "/to/server.key")
            #expect(rights[.posixPermissions] as? Int == 0o600)
        }
    }

    private func expectLogin(at site: Site) async throws {
        let form = """
            {"username":"zoe","email":"zoe@example.org","password":"correct horse",\
            "firstName":"Zoe","lastName":"Lake","acceptTerms":true}
            """
        let registered = try await site.curl(
            "/api/account.register", site.tls + Site.sameSite + ["-d", form])
        #expect(registered.status == 200, "\(registered)")
        let login = try await site.curl(
            "/session",
            site.tls + Site.sameSite + [
                "-d", #"{"login":"zoe","password":"correct horse","device":"laptop"}"#,
            ])
        #expect(login.status == 200, "\(login)")
        #expect(login.headers["set-cookie"]?.contains("Secure") == true, "\(login)")
    }

    /// A proxy that buffers events until there are more would show none while the stream is open.
    private func expectEvents(_ installation: Installation, _ site: Site, _ group: String)
        async throws
    {
        let reader = try await site.events(
            try await installation.token("ben"), "kith/groups/\(group)/#", arguments: site.tls)
        for text in ["one", "two"] {
            try await installation.done(
                "ann", "chat.send", #"{"group":"\#(group)","text":"\#(text)"}"#)
            _ = try await eventually("\(text): \(reader.lines)") { () -> Bool? in
                reader.lines.contains { $0.contains(#""text":"\#(text)""#) } ? true : nil
            }
        }
        #expect(reader.ending == nil)
        await reader.kill()
    }

    private func expectLargeRequests(_ site: Site, _ token: String) async throws {
        let long = String(repeating: "a", count: 60_000)
        let head = try await site.curl("/config.json?x=\(long)", site.tls)
        #expect(head.status == 200, "\(head)")
        try await withTemporaryDirectory { directory in
            let file = directory + "/course.gpx"
            let note = "<!--\(String(repeating: " ", count: 60_000))-->\n"
            let text =
                #"<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>"#
                + #"<trkpt lat="46.05" lon="14.51"/>"# + String(repeating: note, count: 100)
                + #"<trkpt lat="46.06" lon="14.51"/></trkseg></trk></gpx>"#
            #expect(text.utf8.count > 6_000_000)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            let course = try await site.curl(
                "/api/course",
                site.tls + [
                    "-H", "Authorization: Bearer \(token)", "-H", "Expect:",
                    "-H", "Content-Type: application/gpx+xml", "--data-binary", "@\(file)",
                ])
            #expect(course.json["type"] == "LineString", "\(course)")
        }
    }

    /// A password guesser is one address, whatever a header says, and no other one.
    private func expectHonestAddresses(at site: Site) async throws {
        func attempt(_ arguments: String...) async throws -> Int {
            try await site.curl(
                "/session", site.tls + Site.sameSite + arguments + ["-d", "{}"]
            ).status
        }
        var statuses: [Int] = []
        while statuses.last != 429, statuses.count < 60 {
            statuses.append(
                try await attempt("-H", "X-Forwarded-For: 192.0.2.\(statuses.count)"))
        }
        #expect(statuses.last == 429, "\(statuses)")
        #expect(try await attempt("--interface", "127.0.0.9") != 429)
    }
}

extension Site {
    /// As a remote user sees it, through a proxy on this port.
    fileprivate init(_ page: RunningPage, port: Int) {
        self.page = page
        self.port = port
        address = "https://\(Proxy.name):\(port)"
    }

    fileprivate var tls: [String] { ["-k", "--resolve", "\(Proxy.name):\(port):127.0.0.1"] }
}

/// Runs `body` with everything, the page with the settings that the document has.
private func withSite(
    behind proxy: Proxy,
    _ body: (Installation, Site, Proxy.Ports) async throws -> Void
) async throws {
    let settings = try #require(
        try Document("docs/proxies.md").blocks.first { $0.language == "yaml" })
    try await withInstallation { installation in
        try settings.text.write(
            toFile: installation.directory + "/kith.yaml", atomically: true, encoding: .utf8)
        try await installation.start()
        let ports = Proxy.Ports(
            page: try reservePort(), http: try reservePort(), https: try reservePort(),
            spare: [try reservePort(), try reservePort()])
        let page = try await installation.openPage(port: "\(ports.page)")
        do {
            try await proxy.run(ports) {
                try await body(installation, Site(page, port: Int(ports.https)), ports)
            }
        } catch {
            await page.program.kill()
            throw error
        }
        await page.program.kill()
    }
}
