import Dispatch
import Synchronization

/// Runs asynchronous work, and waits for it: never on a thread of the pool, which it may need.
func waiting<Value: Sendable>(
    for body: @escaping @Sendable () async throws -> Value
) throws -> Value {
    let outcome = Outcome<Value>()
    Task {
        let result: Result<Value, any Error>
        do { result = .success(try await body()) } catch { result = .failure(error) }
        outcome.result.withLock { $0 = result }
        outcome.isThere.signal()
    }
    outcome.isThere.wait()
    guard let result = outcome.result.withLock({ $0 }) else {
        preconditionFailure("it is there before the signal")
    }
    return try result.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let isThere = DispatchSemaphore(value: 0)
}
