/// The addresses to which a transfer may connect. It is applied to the address that a socket is
/// actually opened to, after all names are resolved.
public enum AddressPolicy: Hashable, Sendable {
    /// For destinations that any user may name: public addresses outside the machine's own
    /// networks, only over TLS, and addresses that the operator also allows, with TLS or without.
    case publicAddresses(besides: [AddressBlock])
    /// For destinations that the operator names.
    case any
    /// This machine.
    case loopback

    public static let publicOnly = AddressPolicy.publicAddresses(besides: [])

    /// - Parameters:
    ///   - encrypted: whether nothing is sent there before a TLS handshake.
    ///   - localNetworks: the machine's networks: its own addresses, and its neighbours', which may
    ///     be public and still trust it.
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
