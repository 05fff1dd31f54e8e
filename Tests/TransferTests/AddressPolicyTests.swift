import Testing

@testable import Transfer

struct AddressPolicyTests {
    private func block(_ text: String) throws -> AddressBlock { try #require(AddressBlock(text)) }
    private func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test(arguments: [
        ("192.168.1.5", "192.168.1.5", true), ("192.168.1.5", "192.168.1.4", false),
        ("192.168.1.0/24", "192.168.1.255", true), ("192.168.1.0/24", "192.168.2.0", false),
        ("192.168.1.77/25", "192.168.1.127", true), ("192.168.1.77/25", "192.168.1.128", false),
        ("192.168.1.5", "::ffff:192.168.1.5", true), ("0.0.0.0/0", "203.0.113.1", true),
        ("0.0.0.0/0", "::1", false), ("::/0", "127.0.0.1", false), ("::/0", "fd00::1", true),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false),
        ("2001:db8::/33", "2001:db8:7fff::", true), ("2001:db8::/33", "2001:db8:8000::", false),
    ])
    func `A block contains the addresses that have its prefix`(
        _ text: String, _ inside: String, _ isInside: Bool
    ) throws {
        #expect(try block(text).contains(address(inside)) == isInside)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "::/129", "10.0.0.0/-1", "10.0.0.0/+8",
        "10.0.0.0/8/8", "10.0.0.0/ 8", "10.0.0/8", "home/8", "10.0.0.0/٨",
        "10.0.0.0/99999999999999999999",
    ])
    func `An invalid block is rejected`(_ text: String) { #expect(AddressBlock(text) == nil) }

    @Test func `Public addresses need TLS, and those that the operator allows do not`() throws {
        let home = AddressPolicy.publicAddresses(besides: [try block("192.168.1.5")])
        let cases: [(AddressPolicy, String, encrypted: Bool, Bool)] = [
            (.publicOnly, "1.1.1.1", true, true), (.publicOnly, "1.1.1.1", false, false),
            (.publicOnly, "192.168.1.5", true, false), (.publicOnly, "127.0.0.1", true, false),
            (home, "192.168.1.5", true, true), (home, "192.168.1.5", false, true),
            (home, "192.168.1.6", true, false), (home, "1.1.1.1", true, true),
            (home, "1.1.1.1", false, false), (home, "127.0.0.1", false, false),
            (.any, "127.0.0.1", false, true), (.any, "10.0.0.1", true, true),
            (.loopback, "127.0.0.1", false, true), (.loopback, "::1", false, true),
            (.loopback, "192.168.1.5", true, false), (.loopback, "1.1.1.1", true, false),
            (.loopback, "0.0.0.0", false, false),
        ]
        for (policy, text, encrypted, permitted) in cases {
            #expect(
                policy.permits(try address(text), encrypted: encrypted, localNetworks: [])
                    == permitted,
                "\(policy) \(text) \(encrypted)")
        }
    }

    /// A machine's firewall admits the machine itself, and its neighbours may trust it.
    @Test func `The machine itself and its neighbours are not public`() throws {
        let networks = [try block("198.20.7.4/26"), try block("2600:1:2:3::1/64")]
        for (text, permitted) in [
            ("198.20.7.4", false), ("198.20.7.63", false), ("198.20.7.64", true),
            ("2600:1:2:3::99", false), ("2600:1:2:4::99", true),
        ] {
            let policy = AddressPolicy.publicOnly
            #expect(
                policy.permits(try address(text), encrypted: true, localNetworks: networks)
                    == permitted, "\(text)")
            #expect(
                AddressPolicy.publicAddresses(besides: [try block("0.0.0.0/0"), try block("::/0")])
                    .permits(try address(text), encrypted: true, localNetworks: networks))
        }
    }

    @Test func `The machine's networks are those of its interfaces`() throws {
        #expect(LocalNetworks.current().contains { $0.contains(IPAddress("127.0.0.1")!) })
        func network(_ text: String, _ mask: String?) throws -> AddressBlock {
            LocalNetworks.network(of: try address(text), mask: mask.flatMap { IPAddress($0) })
        }
        #expect(try network("1.2.3.4", "255.255.255.192") == block("1.2.3.4/26"))
        #expect(try network("1.2.3.4", nil) == block("1.2.3.4"))
        // A tunnel for everything.
        #expect(try network("1.2.3.4", "0.0.0.0") == block("1.2.3.4"))
        #expect(try network("2600::1", "ffff:ffff:ffff:ffff::") == block("2600::1/64"))
        #expect(try network("2600::1", "e000::") == block("2600::1"))
    }
}
