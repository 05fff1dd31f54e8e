internal import Glibc
internal import Synchronization

/// The sockets of transfers whose thread may wait for one of them, so that another thread can end
/// that wait.
final class OpenSockets: Sendable {
    private struct State {
        var owners: [Int32: TransferOrder.ID] = [:]
        /// Those that are to have no socket any more.
        var cut: Set<TransferOrder.ID> = []
        var areAllCut = false
    }

    private let state = Mutex(State())

    /// - Returns: false if the transfer is to have none any more.
    func add(_ descriptor: Int32, of id: TransferOrder.ID) -> Bool {
        state.withLock { state in
            guard !state.areAllCut, !state.cut.contains(id) else { return false }
            state.owners[descriptor] = id
            return true
        }
    }

    /// Within the lock: afterwards the number may be somebody else's.
    func close(_ descriptor: Int32) -> Int32 {
        state.withLock { state in
            state.owners[descriptor] = nil
            return Glibc.close(descriptor)
        }
    }

    /// Ends the transfer's connection, and lets it have no other, until it is forgotten.
    func cut(_ id: TransferOrder.ID) {
        state.withLock { state in
            state.cut.insert(id)
            for (descriptor, owner) in state.owners where owner == id {
                shutdown(descriptor, Int32(SHUT_RDWR))
            }
        }
    }

    /// To be called once the thread itself has ended these transfers.
    func forget(_ ids: Set<TransferOrder.ID>) { state.withLock { $0.cut.subtract(ids) } }

    /// Ends all connections, for good.
    func cutAll() {
        state.withLock { state in
            state.areAllCut = true
            for descriptor in state.owners.keys { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }
}
