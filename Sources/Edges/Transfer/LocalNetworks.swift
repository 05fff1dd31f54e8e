internal import Glibc

/// The networks of this machine.
enum LocalNetworks {
    /// Returns the current ones; empty if the system does not report them.
    static func current() -> [AddressBlock] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard unsafe getifaddrs(&list) == 0 else { return [] }
        defer { unsafe freeifaddrs(list) }
        var networks: [AddressBlock] = []
        var next = unsafe list
        while let entry = unsafe next {
            if let address = unsafe entry.pointee.ifa_addr,
                let address = unsafe IPAddress(UnsafePointer(address))
            {
                let mask = unsafe entry.pointee.ifa_netmask
                    .flatMap { unsafe IPAddress(UnsafePointer($0)) }
                networks.append(network(of: address, mask: mask))
            }
            unsafe next = entry.pointee.ifa_next
        }
        return networks
    }

    /// - Parameter mask: the bits that the network's addresses have in common.
    static func network(of address: IPAddress, mask: IPAddress?) -> AddressBlock {
        let length = mask?.bytes.reduce(0) { $0 + $1.nonzeroBitCount } ?? .max
        let shortest =
            address.bytes.count == 4 ? LocalNetworks.shortest4 : LocalNetworks.shortest6
        // A tunnel for all traffic is not a neighbourhood.
        return AddressBlock(address, length: length < shortest ? .max : length)
    }

    private static let shortest4 = 8
    private static let shortest6 = 32
}
