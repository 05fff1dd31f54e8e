public import Contract

/// Connections on which nobody has said yet who they are (CONNECT): the broker asks its plugins
/// nothing about them, keeps what they send, and gives them a minute and a half.
public struct PendingConnections {
    public struct Entry {
        /// No other has it as long as this one is there.
        public let number: UInt
        public let address: NetworkAddress
        /// Bytes that came.
        public let received: Int

        public init(number: UInt, address: NetworkAddress, received: Int) {
            self.number = number
            self.address = address
            self.received = received
        }
    }

    public struct Limits: Sendable {
        /// After it was seen first, it is ended.
        public var patience = Duration.seconds(20)
        /// More than a CONNECT is, the greeting of TLS included.
        public var bytes = 32_768
        /// From one address at a time, this machine's apart.
        public var ofAddress = 50

        public init() {}
    }

    public var limits = Limits()
    /// When each was seen first.
    private var seen: [UInt: Duration] = [:]

    public init() {}

    /// - Parameter pending: all that are there.
    /// - Returns: the numbers of those who have had their time, or take more than their part.
    public mutating func look(at pending: [Entry], _ now: Duration) -> Set<UInt> {
        seen = Dictionary(pending.map { ($0.number, seen[$0.number] ?? now) }) { first, _ in
            first
        }
        var unwanted: Set<UInt> = []
        var places: [NetworkAddress: Int] = [:]
        // Who came first keeps the place.
        for entry in pending.sorted(by: { since($0, now) < since($1, now) }) {
            places[entry.address, default: 0] += 1
            let isCrowded =
                !entry.address.isThisMachine
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
