import HTTPTypes
import Testing

@testable import Web

/// The names under which the page answers.
struct KnownHostsTests {
    private func hosts(_ change: (inout WebSettings) -> Void = { _ in }) -> KnownHosts {
        var settings = WebSettings()
        change(&settings)
        return KnownHosts(settings)
    }

    @Test(arguments: [
        "127.0.0.1:8080", "192.168.1.20", "[::1]:8080", "[fe80::1]", "localhost:8080", "LocalHost",
        "kith.local:8080", "kith.local.", "raspberrypi:8080", "kith", "kith.home.arpa", "kith.lan",
        "kith.internal:80",
    ])
    func `A host that no outsider can own is answered`(_ host: String) {
        #expect(hosts().allow(host))
    }

    @Test(arguments: [
        "evil.example", "evil.example:8080", "127.0.0.1.evil.example", "localhost.evil.example",
        "kith.local.evil.example", "[evil.example]", "1.2.3", "evil.example.",
    ])
    func `A host that an outsider may own is refused unless configured`(_ host: String) {
        #expect(!hosts().allow(host))
        #expect(hosts { $0.server.origin = "https://kith.example.org" }.allow(host))
        #expect(KnownHosts.refusal.status.code == 421)
    }

    @Test func `A host that is configured is answered, with any port and in any case`() {
        let known = hosts {
            $0.server.hosts = ["kith.example.org"]
            $0.phones.host = "Phones.example.org"
        }
        #expect(known.allow("Kith.Example.org:8080") && known.allow("phones.example.org"))
        #expect(!known.allow("a.kith.example.org"))
    }
}
