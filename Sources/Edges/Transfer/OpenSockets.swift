internal import Glibc
internal import Synchronization

/// The sockets of a thread that waits for its servers, and has one transfer at a time, so that
/// another thread can end that wait.
final class OpenSockets: Sendable {
    private struct State {
        /// Includes those of earlier transfers, whose connections are reused.
        var descriptors: Set<Int32> = []
        /// The transfer under way, or the last one.
        var owner: TransferOrder.ID?
        /// Transfers that must have no socket any more.
        var cut: Set<TransferOrder.ID> = []
        var areAllCut = false

        var isOwnerCut: Bool { areAllCut || owner.map(cut.contains) ?? false }

        func shutDown() {
            for descriptor in descriptors { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private let state = Mutex(State())

    /// Assigns all sockets to this transfer from now on.
    func begin(_ id: TransferOrder.ID) {
        state.withLock { state in
            state.owner = id
            if state.isOwnerCut { state.shutDown() }
        }
    }

    /// - Returns: false if the transfer must have no more sockets.
    func add(_ descriptor: Int32) -> Bool {
        state.withLock { state in
            guard !state.isOwnerCut else { return false }
            state.descriptors.insert(descriptor)
            return true
        }
    }

    /// Closes it within the lock: afterwards the number may belong to another socket.
    func close(_ descriptor: Int32) -> Int32 {
        state.withLock { state in
            state.descriptors.remove(descriptor)
            return Glibc.close(descriptor)
        }
    }

    /// Ends the transfer's connection, and permits no other, until it is forgotten.
    func cut(_ id: TransferOrder.ID) {
        state.withLock { state in
            state.cut.insert(id)
            if state.owner == id { state.shutDown() }
        }
    }

    /// To be called once the thread itself has ended these transfers.
    func forget(_ ids: Set<TransferOrder.ID>) { state.withLock { $0.cut.subtract(ids) } }

    /// Ends all connections permanently.
    func cutAll() {
        state.withLock { state in
            state.areAllCut = true
            state.shutDown()
        }
    }
}
