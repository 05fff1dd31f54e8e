/// To which addresses a transfer may connect. It is asked about the address that a socket is really
/// opened to, after all names are resolved.
public enum AddressPolicy: Hashable, Sendable {
    /// For destinations that anybody may name: public addresses outside the machine's own networks,
    /// over TLS only, and what the operator allows besides, with TLS or without.
    case publicAddresses(besides: [AddressBlock])
    /// For destinations that the operator names.
    case any
    /// This machine.
    case loopback

    public static let publicOnly = AddressPolicy.publicAddresses(besides: [])

    /// - Parameters:
    ///   - encrypted: whether nothing is sent there before a handshake of TLS.
    ///   - localNetworks: those that the machine is in: its own addresses, and its neighbours',
    ///     which may be public and trust it all the same.
    public func permits(
        _ address: IPAddress, encrypted: Bool, localNetworks: [AddressBlock]
    ) -> Bool {
        switch self {
        case .any: true
        case .loopback: address.isLoopback
        case .publicAddresses(let besides):
            besides.contains { $0.contains(address) }
                || encrypted && address.isPublic && !localNetworks.contains { $0.contains(address) }
        }
    }
}
