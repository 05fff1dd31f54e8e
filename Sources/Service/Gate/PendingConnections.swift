public import Contract

/// Connections that have not sent their CONNECT yet: the broker does not consult its plugins about
/// them, buffers their data, and closes them after a minute and a half.
public struct PendingConnections {
    public struct Entry {
        /// Unique among the current connections.
        public let number: UInt
        public let address: NetworkAddress
        /// Bytes received.
        public let received: Int

        public init(number: UInt, address: NetworkAddress, received: Int) {
            self.number = number
            self.address = address
            self.received = received
        }
    }

    public struct Limits: Sendable {
        /// The time after which a connection is closed, from when it was first seen.
        public var patience = Duration.seconds(20)
        /// More than a CONNECT needs, including the TLS handshake.
        public var bytes = 32_768
        /// Connections from one address at a time, except this machine's and those of
        /// ``proxies``.
        public var ofAddress = 50
        /// Behind these addresses are many clients.
        public var proxies: Set<NetworkAddress> = []

        public init() {}
    }

    public var limits = Limits()
    /// When each was first seen.
    private var seen: [UInt: Duration] = [:]

    public init() {}

    /// - Parameter pending: all pending connections.
    /// - Returns: the numbers of connections whose time is up, or that exceed their share.
    public mutating func look(at pending: [Entry], _ now: Duration) -> Set<UInt> {
        seen = Dictionary(pending.map { ($0.number, seen[$0.number] ?? now) }) { first, _ in
            first
        }
        var unwanted: Set<UInt> = []
        var places: [NetworkAddress: Int] = [:]
        // The first ones keep their places.
        for entry in pending.sorted(by: { since($0, now) < since($1, now) }) {
            places[entry.address, default: 0] += 1
            let isCrowded =
                !entry.address.isThisMachine && !limits.proxies.contains(entry.address)
                && places[entry.address, default: 0] > limits.ofAddress
            if isCrowded || entry.received > limits.bytes
                || now - since(entry, now) >= limits.patience
            {
                unwanted.insert(entry.number)
            }
        }
        return unwanted
    }

    private func since(_ entry: Entry, _ now: Duration) -> Duration {
        seen[entry.number] ?? now
    }
}
