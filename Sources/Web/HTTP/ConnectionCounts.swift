internal import Contract
internal import Synchronization

/// The number of open connections per address.
final class ConnectionCounts: Sendable {
    private let maximum: Int?
    private let counts = Mutex<[NetworkAddress: Int]>([:])

    /// - Parameter maximum: per address; nil if all connections come from one address, the proxy's.
    init(maximum: Int?) { self.maximum = maximum }

    /// - Returns: whether there was room for one more connection.
    func enter(_ address: String) -> Bool {
        let address = NetworkAddress(address)
        return counts.withLock { counts in
            let count = counts[address, default: 0]
            if let maximum, count >= maximum { return false }
            counts[address] = count + 1
            return true
        }
    }

    func leave(_ address: String) {
        let address = NetworkAddress(address)
        counts.withLock { counts in
            let count = counts[address, default: 1]
            counts[address] = count > 1 ? count - 1 : nil
        }
    }

    var count: Int { counts.withLock { $0.values.reduce(0, +) } }
}
