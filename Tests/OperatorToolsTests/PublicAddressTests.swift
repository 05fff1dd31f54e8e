import Testing

@testable import OperatorTools

struct PublicAddressTests {
    @Test(arguments: [
        "https://kith.example.org", "https://kith.example.org:8443", "http://203.0.113.7",
        "https://172.32.0.1:8443", "https://100.128.0.1", "https://[2001:db8::1]:8443",
    ])
    func `A public address is reachable from outside`(_ origin: String) {
        #expect(PublicAddress.isPublic(origin))
    }

    @Test(arguments: [
        nil, "http://localhost:8080", "http://127.0.0.1:8080", "https://192.168.178.23:8443",
        "https://10.0.0.1", "https://172.16.0.1", "https://172.31.255.1", "https://100.64.0.1",
        "https://kith.local:8443", "https://kith.fritz.home.arpa", "https://box", "https://[::1]",
        "https://[fd00::1]:8443", "nothing",
    ])
    func `A private address is reachable only by the installation`(_ origin: String?) {
        #expect(!PublicAddress.isPublic(origin))
    }
}
