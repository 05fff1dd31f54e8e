import DequeModule
import Foundation
import Glibc
import Synchronization

/// Works on its own thread, on one item after the other.
final class SerialWorker<Item: Sendable>: Sendable {
    private struct State {
        var waiting: Deque<Item> = []
        var isRunning = false
    }

    private let state = Mutex(State())
    private let name: String
    private let givesWay: Bool
    private let perform: @Sendable (Item) -> Void

    /// - Parameters:
    ///   - name: the thread's name.
    ///   - givesWay: whether all other threads run first.
    init(
        _ name: String, givesWay: Bool = false, perform: @escaping @Sendable (Item) -> Void
    ) {
        (self.name, self.givesWay, self.perform) = (name, givesWay, perform)
    }

    func submit(_ items: [Item]) {
        guard !items.isEmpty else { return }
        let mustStart = state.withLock { state in
            state.waiting.append(contentsOf: items)
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if mustStart { start() }
    }

    /// Starts the thread, which ends when no item is left.
    private func start() {
        let thread = Thread {
            // On Linux each thread has its own priority; without the right to change it, it stays.
            if self.givesWay {
                _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, 10)
            }
            while let item = self.next() { self.perform(item) }
        }
        thread.name = name
        thread.start()
    }

    private func next() -> Item? {
        state.withLock { state in
            let item = state.waiting.popFirst()
            if item == nil { state.isRunning = false }
            return item
        }
    }
}
