extension IPAddress {
    /// Whether it is globally reachable on the internet, by the registries of special addresses
    /// (RFC 6890, kept by IANA). Addresses not listed as global there are refused, and so are those
    /// that only wrap such an address.
    public var isPublic: Bool {
        guard bytes.count == 16 else {
            return !IPAddress.special4.contains { $0.contains(self) }
        }
        if IPAddress.nat64.contains(self) { return wrapped(at: 12) }
        if IPAddress.sixToFour.contains(self) { return wrapped(at: 2) }
        return IPAddress.globalUnicast.contains(self)
            && !IPAddress.special6.contains { $0.contains(self) }
    }

    public var isLoopback: Bool {
        IPAddress.loopback.contains { $0.contains(self) }
    }

    /// Returns whether the IPv4 address in these four bytes is public.
    private func wrapped(at index: Int) -> Bool {
        IPAddress(bytes: Array(bytes[index..<index + 4]))?.isPublic ?? false
    }

    private static let loopback = blocks("127.0.0.0/8", "::1")

    private static let special4 = blocks(
        "0.0.0.0/8",  // "this network"
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16",  // private: RFC 1918
        "100.64.0.0/10",  // between providers and their customers: RFC 6598
        "127.0.0.0/8",  // loopback
        "169.254.0.0/16",  // link-local, and the data of cloud machines: RFC 3927
        "192.0.0.0/24",  // protocol assignments: RFC 6890
        "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  // documentation: RFC 5737
        "192.88.99.0/24",  // relays of 6to4, deprecated: RFC 7526
        "198.18.0.0/15",  // benchmarks: RFC 2544
        "224.0.0.0/4",  // multicast
        "240.0.0.0/4"  // reserved, and broadcast
    )

    /// All others are unspecified, loopback, private (RFC 4193), link-local, multicast or not
    /// assigned.
    private static let globalUnicast = block("2000::/3")

    private static let special6 = blocks(
        "2001::/23",  // protocol assignments, Teredo among them: RFC 2928
        "2001:db8::/32", "3fff::/20"  // documentation: RFC 3849, RFC 9637
    )

    /// Translators between the protocols: RFC 6052. They wrap IPv4 addresses.
    private static let nat64 = block("64:ff9b::/96")
    /// RFC 3056.
    private static let sixToFour = block("2002::/16")

    private static func block(_ text: String) -> AddressBlock {
        guard let block = AddressBlock(text) else { preconditionFailure("a block is misspelt") }
        return block
    }

    private static func blocks(_ texts: String...) -> [AddressBlock] { texts.map(block) }
}
