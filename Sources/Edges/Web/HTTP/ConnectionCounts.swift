internal import Contract
internal import Synchronization

/// The open connections by address. If there are too many, one without an unanswered request is
/// closed: the newest may be a call for help.
final class ConnectionCounts: Sendable {
    /// An open connection.
    struct ID: Hashable, Sendable {
        fileprivate let address: NetworkAddress
        fileprivate let number: UInt64
    }

    private struct Connection {
        let close: @Sendable () -> Void
        /// Whether a request has been received, and is not answered yet.
        var isUnderway = false
        /// The sequence number of its last change, or of its opening.
        var order: UInt64
    }

    private struct State {
        var addresses: [NetworkAddress: [ID: Connection]] = [:]
        var count = 0
        var order: UInt64 = 0

        mutating func remove(_ id: ID) -> Connection? {
            guard let connection = addresses[id.address]?.removeValue(forKey: id) else {
                return nil
            }
            count -= 1
            if addresses[id.address]?.isEmpty == true { addresses[id.address] = nil }
            return connection
        }

        /// Removes the address's connection that has been idle longest; nil if none is idle.
        mutating func removeResting(_ address: NetworkAddress) -> Connection? {
            let resting = addresses[address]?.filter { !$0.value.isUnderway }
            return (resting?.min { $0.value.order < $1.value.order }).flatMap { remove($0.key) }
        }
    }

    private let maximum: Int?
    private let comfortable: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximum: per address; nil if all connections come from one address, the proxy's.
    ///   - all: the maximum in total. Beyond nine tenths of it each new connection closes one of
    ///     the address with the most.
    init(maximum: Int?, all: Int) {
        self.maximum = maximum
        comfortable = all / 10 * 9
    }

    /// - Parameter close: called at most once.
    /// - Returns: nil if there is no room for one more connection.
    func enter(_ address: String, _ close: @escaping @Sendable () -> Void) -> ID? {
        let address = NetworkAddress(address)
        let (id, closed) = state.withLock { state -> (ID?, Connection?) in
            var closed: Connection?
            let count = state.addresses[address]?.count ?? 0
            if let maximum, count >= maximum {
                closed = state.removeResting(address)
                guard closed != nil else { return (nil, nil) }
            } else if state.count >= comfortable {
                let most = state.addresses.max { $0.value.count < $1.value.count }
                closed = most.flatMap { state.removeResting($0.key) }
            }
            state.order += 1
            let id = ID(address: address, number: state.order)
            state.addresses[address, default: [:]][id] = Connection(
                close: close, order: state.order)
            state.count += 1
            return (id, closed)
        }
        closed?.close()
        return id
    }

    /// - Parameter isUnderway: whether a request has been received there and is not answered yet.
    func note(_ id: ID, isUnderway: Bool) {
        state.withLock { state in
            state.order += 1
            let order = state.order
            state.addresses[id.address]?[id]?.isUnderway = isUnderway
            state.addresses[id.address]?[id]?.order = order
        }
    }

    func leave(_ id: ID) { _ = state.withLock { $0.remove(id) } }

    var count: Int { state.withLock { $0.count } }
}
