internal import Glibc

/// An address of the internet protocol, as bytes: four or sixteen.
///
/// IPv6 addresses that represent an IPv4 address (`::ffff:a.b.c.d`) become that one, since the
/// system connects to it.
public struct IPAddress: Hashable, Sendable {
    /// In network order.
    public let bytes: [UInt8]

    /// - Returns: nil unless there are four or sixteen bytes.
    public init?(bytes: [UInt8]) {
        switch bytes.count {
        case 4: self.bytes = bytes
        case 16: self.bytes = bytes.starts(with: IPAddress.mapped) ? Array(bytes[12...]) : bytes
        default: return nil
        }
    }

    /// - Parameter text: as `inet_pton` reads it: `192.0.2.1`, `2001:db8::1`; no port, no zone.
    public init?(_ text: String) {
        var bytes = [UInt8](repeating: 0, count: 16)
        if unsafe inet_pton(AF_INET, text, &bytes) == 1 {
            self.init(bytes: Array(bytes[..<4]))
        } else if unsafe inet_pton(AF_INET6, text, &bytes) == 1 {
            self.init(bytes: bytes)
        } else {
            return nil
        }
    }

    /// - Returns: nil for other families than those of the internet.
    @unsafe init?(_ address: UnsafePointer<sockaddr>) {
        switch Int32(unsafe address.pointee.sa_family) {
        case AF_INET:
            let field = unsafe UnsafeRawPointer(address)
                .assumingMemoryBound(to: sockaddr_in.self).pointee.sin_addr
            self.init(bytes: unsafe withUnsafeBytes(of: field) { unsafe Array($0) })
        case AF_INET6:
            let field = unsafe UnsafeRawPointer(address)
                .assumingMemoryBound(to: sockaddr_in6.self).pointee.sin6_addr
            self.init(bytes: unsafe withUnsafeBytes(of: field) { unsafe Array($0) })
        default: return nil
        }
    }

    private static let mapped: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
}
