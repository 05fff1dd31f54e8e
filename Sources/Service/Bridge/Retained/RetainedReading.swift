import Foundation
import MQTT
import Synchronization

/// Reads the broker's retained messages on its own thread: with many users that takes a while, and
/// fixes do not wait for it.
final class RetainedReading: Sendable {
    private enum State {
        case reading
        case done(Result<[String: [UInt8]], MQTTError>)
        case taken
    }

    private let state = Mutex(State.reading)

    /// - Parameter waker: woken when there is a result.
    init(_ reader: RetainedReader, waker: Waker) {
        let thread = Thread { [self] in
            let result = Result { () throws(MQTTError) in try reader.read() }
            state.withLock { $0 = .done(result) }
            waker.wake()
        }
        thread.name = "retained"
        thread.start()
    }

    /// - Returns: the messages, once; nil before and afterwards.
    /// - Throws: the error that made reading fail.
    func take() throws(MQTTError) -> [String: [UInt8]]? {
        let result = state.withLock { state -> Result<[String: [UInt8]], MQTTError>? in
            guard case .done(let result) = state else { return nil }
            state = .taken
            return result
        }
        return try result?.get()
    }
}
