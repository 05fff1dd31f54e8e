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

    /// - Parameter waker: woken when there is a result.
    init(
        named name: String, _ waker: Waker,
        _ work: @escaping @Sendable () throws(MQTTError) -> Value
    ) {
        let thread = Thread { [self] in
            let handed = Handed(result: Result { () throws(MQTTError) in try work() })
            state.withLock { $0 = .done(handed) }
            waker.wake()
        }
        thread.name = name
        thread.start()
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
