internal import Foundation

/// Runs a blocking body, such as one that drives a ``Connection``, on a thread of its own, so that
/// it takes none from the pool.
public func onThread<Value: Sendable>(
    named name: String, _ body: @escaping @Sendable () throws -> Value
) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        let thread = Thread { continuation.resume(with: Result { try body() }) }
        thread.name = name
        thread.start()
    }
}
