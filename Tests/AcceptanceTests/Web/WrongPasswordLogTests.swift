import Foundation
import Glibc
import TestSupport
import Testing

/// What fail2ban reads, with the filter that docs/production.md has.
@Suite(.timeLimit(.minutes(2)))
struct WrongPasswordLogTests {
    private func attempt(_ site: Site, from address: String) async throws {
        let answer = try await site.curl(
            "/session",
            Site.sameSite + [
                "-H", "X-Forwarded-For: \(address)",
                "-d", #"{"login":"ann","password":"wrong horse","device":"laptop"}"#,
            ])
        #expect(answer.status == 401, "\(answer)")
    }

    @Test func `The filter finds the addresses of wrong passwords, and the log names no user`()
        async throws
    {
        let filter = try #require(
            try Document("docs/production.md").blocks.first { $0.firstLine == "[Definition]" })
        let pattern = try #require(filter.text.firstMatch(of: /(?m)^failregex = (.+)$/)?.1)
        let regex = try Regex(String(pattern).replacing("<SUBNET>", with: "(\\S+)"))
        let settings = [
            "KITH_WEB_LOG_WRONG_PASSWORDS": "true", "KITH_WEB_BEHIND_PROXY": "true",
        ]
        try await withSite(settings) { installation, site in
            try await installation.kith("user", "add", "ann")
            // The last one is not an address: a header reaches the log only as an address.
            for address in ["192.0.2.7", "2001:db8:0:7::9", "from 192.0.2.8 were refused"] {
                try await attempt(site, from: address)
            }
            try await attempt(site, from: "192.0.2.9")
            func found() -> [String] {
                site.program.lines.compactMap {
                    $0.firstMatch(of: regex)?.output[1].substring.map(String.init)
                }
            }
            let addresses = try await eventually("the lines: \(site.program.lines)") {
                found().count >= 3 ? found() : nil
            }
            #expect(addresses == ["192.0.2.7", "2001:db8:0:7::/64", "192.0.2.9"])
            #expect(!site.program.lines.contains { $0.contains(/\bann\b|horse/) })
            try await expectMatches(3, in: site.program.lines, filter.text)
        }
    }

    @Test func `The log has no addresses by default`() async throws {
        try await withSite(["KITH_WEB_BEHIND_PROXY": "true"]) { installation, site in
            try await installation.kith("user", "add", "ann")
            try await attempt(site, from: "192.0.2.7")
            // Output written before it ended has arrived.
            await site.program.end(SIGTERM)
            #expect(!site.program.lines.contains { $0.contains("192.0.2.7") })
        }
    }

    /// By fail2ban itself, where it is installed.
    private func expectMatches(_ count: Int, in lines: [String], _ filter: String) async throws {
        let program = "/usr/bin/fail2ban-regex"
        guard access(program, X_OK) == 0 else { return }
        try await withTemporaryDirectory { directory in
            let (log, rule) = (directory + "/log", directory + "/kith.conf")
            try (lines.joined(separator: "\n") + "\n").write(
                toFile: log, atomically: true, encoding: .utf8)
            try filter.write(toFile: rule, atomically: true, encoding: .utf8)
            let verdict = try await Program.succeed(program, [log, rule])
            #expect(verdict.contains(" \(count) matched"), "\(verdict)")
        }
    }
}
