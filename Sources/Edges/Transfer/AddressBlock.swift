/// A range of addresses with a common beginning (RFC 4632): `192.168.1.0/24`, `fd00::/8`, or one
/// address.
public struct AddressBlock: Hashable, Sendable {
    public let address: IPAddress
    /// How many bits all its addresses have in common: up to 32, or 128.
    public let length: Int

    /// - Parameter length: limited to the address's length.
    public init(_ address: IPAddress, length: Int = .max) {
        self.address = address
        self.length = max(0, min(length, address.bytes.count * 8))
    }

    /// - Parameter text: an address, or an address, a slash and a number of bits.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = IPAddress(String(parts[0])) else { return nil }
        guard parts.count == 2 else {
            self.init(address)
            return
        }
        guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1]), length <= address.bytes.count * 8
        else { return nil }
        self.init(address, length: length)
    }

    public func contains(_ other: IPAddress) -> Bool {
        guard other.bytes.count == address.bytes.count else { return false }
        let (whole, rest) = length.quotientAndRemainder(dividingBy: 8)
        guard other.bytes[..<whole] == address.bytes[..<whole] else { return false }
        guard rest > 0 else { return true }
        let shift = 8 - rest
        return other.bytes[whole] >> shift == address.bytes[whole] >> shift
    }
}
