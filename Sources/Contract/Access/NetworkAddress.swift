internal import Glibc

/// What stands for one place in the network: an IPv4 address, or the first half of an IPv6
/// address, of which everybody has the second half to themselves.
public struct NetworkAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// - Parameter text: what cannot be read as an address stands for itself.
    public init(_ text: String) {
        if let four = NetworkAddress.parse(text, AF_INET, length: 4) {
            bytes = four
        } else if let sixteen = NetworkAddress.parse(text, AF_INET6, length: 16) {
            let isMapped = sixteen.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            bytes = Array(isMapped ? sixteen.suffix(4) : sixteen.prefix(8))
        } else {
            bytes = [0] + Array(text.utf8.prefix(64))
        }
    }

    private static func parse(_ text: String, _ family: Int32, length: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: length)
        return inet_pton(family, text, &bytes) == 1 ? bytes : nil
    }
}
