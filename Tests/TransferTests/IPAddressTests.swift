import Testing
import Transfer

struct IPAddressTests {
    /// Each at an edge of its block, so that a wrong length shows.
    @Test(arguments: [
        "0.0.0.0", "0.255.255.255", "10.0.0.0", "10.255.255.255", "100.64.0.0", "100.127.255.255",
        "127.0.0.1", "127.255.255.255", "169.254.0.0", "169.254.169.254", "169.254.255.255",
        "172.16.0.0", "172.31.255.255", "192.0.0.0", "192.0.0.255", "192.0.2.0", "192.0.2.255",
        "192.88.99.0", "192.88.99.255", "192.168.0.0", "192.168.255.255", "198.18.0.0",
        "198.19.255.255", "198.51.100.0", "198.51.100.255", "203.0.113.0", "203.0.113.255",
        "224.0.0.0", "239.255.255.255", "240.0.0.0", "255.255.255.255",
        "::", "::1", "::127.0.0.1", "::8.8.8.8", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "::ffff:0:127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::8.8.8.8",
        "100::1", "2001::1", "2001:0:ffff::1", "2001:1ff:ffff::1", "2001:db8::",
        "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "2002:7f00:1::", "2002:a00:1::1",
        "2002:c0a8:101::", "2002:e000:1::", "3fff::1", "3fff:fff:ffff::1", "4000::1", "5f00::1",
        "1fff:ffff::1", "fc00::1", "fd00::1", "fdff:ffff::1", "fe80::1", "febf::1", "fec0::1",
        "ff00::1", "ff02::1", "ffff::1",
    ])
    func `An address that is not for the whole internet is not public`(_ text: String) throws {
        #expect(try !#require(IPAddress(text)).isPublic)
    }

    @Test(arguments: [
        "1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255",
        "100.128.0.0", "126.255.255.255", "128.0.0.0", "169.253.255.255", "169.255.0.0",
        "172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255",
        "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
        "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
        "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1", "2000::1", "2001:200::1",
        "2001:db7:ffff::1", "2001:db9::1", "2001:4860:4860::8888", "2600::1", "2a00:1450::1",
        "3ffe:ffff::1", "3fff:1000::1",
    ])
    func `Every other address is public`(_ text: String) throws {
        #expect(try #require(IPAddress(text)).isPublic)
    }

    @Test func `An IPv4 address mapped to IPv6 equals the IPv4 address`() throws {
        #expect(IPAddress("::ffff:192.0.2.1") == IPAddress("192.0.2.1"))
        #expect(IPAddress("192.0.2.1")?.bytes == [192, 0, 2, 1])
        #expect(try #require(IPAddress("::ffff:127.0.0.1")).isLoopback)
        #expect(try #require(IPAddress("::1")).isLoopback)
        #expect(try !#require(IPAddress("::2")).isLoopback)
        #expect(try !#require(IPAddress("0.0.0.0")).isLoopback)
    }

    @Test(arguments: [
        "", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "0x7f.1", "localhost",
        "::1%lo", "[::1]", "1::2::3", "1.2.3.4/8",
    ])
    func `An invalid address is rejected`(_ text: String) { #expect(IPAddress(text) == nil) }

    @Test func `Bytes of any other count are not an address`() {
        for count in [0, 3, 5, 15, 17] {
            #expect(IPAddress(bytes: Array(repeating: 1, count: count)) == nil)
        }
    }
}
