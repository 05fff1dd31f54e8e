import Foundation
import TestBroker
import TestSupport
import Testing

/// `kith check-config`.
@Suite(.timeLimit(.minutes(2)))
struct CheckConfigTests {
    private func ldap(_ lines: String...) -> String {
        "login:\n  ldap:\n" + lines.map { "    \($0)\n" }.joined()
    }

    @Test func `A configuration is checked: good, bad, with an unknown key, missing`() async throws
    {
        let cases: [(text: String, isGood: Bool, words: [String])] = [
            ("tracking:\n  offlineAfter: 90\n", true, []),
            ("tracking:\n  offlineAfter: soon\n", false, ["tracking.offlineAfter", "seconds"]),
            ("broker:\n  port: 70000\n", false, ["broker.port", "65535"]),
            (
                "tracking:\n  offLineAfter: 90\n", false,
                ["line 2", "Did you mean tracking.offlineAfter?"]
            ),
            ("- [", false, ["not valid YAML"]), ("- a\n", false, ["not a mapping of keys"]),
            ("# nothing yet\n# but this\n", true, []), ("", true, []), ("---\n~\n", true, []),
            ("topics:\n  root: '#'\n", false, ["topics.root", "without +"]),
            ("topics:\n  root: $SYS/kith\n", false, ["topics.root"]),
            ("topics:\n  root: home/kith\n", true, []),
            ("broker:\n  clientId: kith:bridge.2\n", true, []),
            ("broker:\n  clientId: bridge\n", false, ["broker.clientId", "kith:bridge."]),
            ("broker:\n  clientId: kith:bridge.\n", false, ["broker.clientId"]),
            ("accounts:\n  tokenLifetime: 0\n", true, []),
            ("accounts:\n  tokenLifetime: -1\n", false, ["accounts.tokenLifetime", "days"]),
            ("terms:\n  version: 2026-05\n", true, []),
            ("terms:\n  version: \(String(repeating: "x", count: 64))\n", true, []),
            ("terms:\n  version: \(String(repeating: "x", count: 65))\n", false, ["terms.version"]),
            ("web:\n  terms: /terms.txt\n", false, ["terms.version", "web.terms"]),
            (ldap("url: ldaps://ldap.example.org", "base: ou=people,dc=example,dc=org"), true, []),
            (
                ldap(
                    "url: ldap://ldap.example.org", "base: dc=org", "bind: 'uid={user},dc=org'",
                    "security: none", "attributes: { user: cn, id: dn }"), true, []
            ),
            (ldap("url: ldaps://ldap.example.org"), false, ["login.ldap.base"]),
            (ldap("url: ldap.example.org", "base: dc=org"), false, ["login.ldap.url"]),
            (
                ldap("url: ldaps://ldap.example.org", "base: dc=org", "security: none"), false,
                ["login.ldap.security"]
            ),
            (
                ldap("url: ldaps://ldap.example.org", "base: dc=org", "bind: 'uid=ann,dc=org'"),
                false, ["login.ldap.bind", "{user}"]
            ),
            (
                ldap("url: ldaps://ldap.example.org", "base: dc=org", "account: cn=reader"), false,
                ["login.ldap.passwordFile"]
            ),
            (
                ldap("url: ldaps://ldap.example.org", "base: dc=org", "authorities: /no.pem"),
                false, ["login.ldap.authorities"]
            ),
        ]
        try await withTemporaryDirectory { directory in
            let file = directory + "/kith.yaml"
            for (text, isGood, words) in cases {
                try Data(text.utf8).write(to: URL(fileURLWithPath: file))
                let ending = try await Program.run(
                    Program.kith, ["check-config", "--data", directory])
                #expect((ending.status == 0) == isGood, "\(text): \(ending)")
                #expect(ending.errors.isEmpty == isGood, "\(ending)")
                for word in words {
                    #expect(ending.complaints.first?.contains(word) == true, "\(ending)")
                }
            }
            let missing = try await Program.run(
                Program.kith, ["check-config", "--config", directory + "/no.yaml"])
            #expect(missing.complaints.first?.contains("There is no file") == true)
        }
    }

    @Test func `All faults of a configuration are reported together, each with its place`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let file = directory + "/kith.yaml"
            let text = """
                tracking:
                  offlineAfter: soon
                retention:
                  fix: 30
                mail:
                  host: mail.example.org
                login:
                  ldap:
                    url: ldaps://ldap.example.org
                web:
                  tiles: here
                  terms: /terms.txt
                """
            try Data(text.utf8).write(to: URL(fileURLWithPath: file))
            let ending = try await Program.run(
                Program.kith, ["check-config", "--data", directory],
                environment: ["KITH_BROKER_PORT": "70000"])
            #expect(ending.status == 1)
            #expect(ending.complaints.first == "kith: The configuration is not valid:")
            let places = ending.complaints.dropFirst().map { line in
                String(line.trimmed.prefix { $0 != ":" })
            }
            #expect(
                places == [
                    "line 2 of \(file)", "line 4 of \(file)", "line 11 of \(file)",
                    "KITH_BROKER_PORT", "mail.from is missing",
                    "login.ldap.base must be a distinguished name, such as "
                        + "ou=people,dc=example,dc=org", "terms.version is missing",
                ], "\(ending.errors)")
        }
    }
}
