internal import Glibc

/// An address that identifies one place in the network: an IPv4 address, or the first half of an
/// IPv6 address, since every subscriber has the whole second half.
public struct NetworkAddress: Hashable, Sendable {
    private let bytes: [UInt8]
    /// Whether this is a loopback address, which does not identify a user: a local program, `kith
    /// web`, connects on behalf of many.
    public let isThisMachine: Bool

    /// - Parameter text: a text that is not an address is used as it is.
    public init(_ text: String) {
        if let four = NetworkAddress.parse(text, AF_INET, length: 4) {
            bytes = four
        } else if let sixteen = NetworkAddress.parse(text, AF_INET6, length: 16) {
            let isMapped = sixteen.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            bytes = Array(isMapped ? sixteen.suffix(4) : sixteen.prefix(8))
            guard sixteen != NetworkAddress.loopback else {
                isThisMachine = true
                return
            }
        } else {
            bytes = [0] + Array(text.utf8.prefix(64))
        }
        // 127.0.0.0/8 (RFC 1122, 3.2.1.3).
        isThisMachine = bytes.count == 4 && bytes[0] == 127
    }

    /// `192.0.2.1`, or `2001:db8:0:1::/64`; nil if the text was not an address.
    public var text: String? {
        // No host address begins with a zero (RFC 1122, 3.2.1.3; RFC 4291, 2.4).
        guard bytes.first != 0 else { return nil }
        if bytes.count == 4 { return bytes.map { "\($0)" }.joined(separator: ".") }
        let groups = stride(from: 0, to: bytes.count, by: 2).map {
            String(UInt16(clamping: bytes[$0]) << 8 | UInt16(clamping: bytes[$0 + 1]), radix: 16)
        }
        return groups.joined(separator: ":") + "::/64"
    }

    /// `::1` (RFC 4291, 2.5.3).
    private static let loopback = [UInt8](repeating: 0, count: 15) + [1]

    private static func parse(_ text: String, _ family: Int32, length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
