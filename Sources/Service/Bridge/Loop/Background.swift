internal import Foundation
internal import MQTT
internal import Synchronization

/// Work on a thread of its own that may have to wait for a broker; its result is taken once.
final class Background<Value>: Sendable {
    /// Used by the thread until it is done, and afterwards by the one that takes it.
    private struct Handed: @unchecked Sendable {
        var result: Result<Value, MQTTError>
    }

    private enum State {
        case running
        case done(Handed)
        case taken
    }

    private let state = Mutex(State.running)
    private let isCancelled = Mutex(false)

    /// - Parameters:
    ///   - waker: woken when there is a result.
    ///   - work: may ask whether its result is still wanted.
    init(
        named name: String, _ waker: Waker,
        _ work: @escaping @Sendable (_ isCancelled: () -> Bool) throws(MQTTError) -> Value
    ) {
        let thread = Thread { [self] in
            let handed = Handed(
                result: Result { () throws(MQTTError) in
                    try work { isCancelled.withLock { $0 } }
                })
            state.withLock { $0 = .done(handed) }
            waker.wake()
        }
        thread.name = name
        thread.start()
    }

    /// Its result is not wanted any more.
    func cancel() { isCancelled.withLock { $0 = true } }

    var isRunning: Bool {
        state.withLock { if case .running = $0 { true } else { false } }
    }

    /// - Returns: the result, once; nil before and afterwards.
    /// - Throws: the error that made the work fail.
    func take() throws(MQTTError) -> Value? {
        let handed = state.withLock { state -> Handed? in
            guard case .done(let handed) = state else { return nil }
            state = .taken
            return handed
        }
        return try handed?.result.get()
    }
}
