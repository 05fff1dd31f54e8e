import Limits
import Testing

/// The expected value did not arrive in time.
struct NothingHappened: Error, CustomStringConvertible {
    let description: String
}

/// Waits until there is a value, with a limit suitable for a busy machine.
///
/// - Parameter what: what is waited for, for the failure's message.
func eventually<Value: Sendable>(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(25),
    isolation: isolated (any Actor)? = #isolation,
    _ value: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    var pause = Backoff(from: .milliseconds(5), to: .milliseconds(80))
    while true {
        if let value = try await value() { return value }
        guard ContinuousClock.now < deadline else {
            throw NothingHappened(description: "Within \(limit) there was nothing of: \(what())")
        }
        // Slow conditions are checked less often, so that checks use up no one's allowance.
        try await Task.sleep(for: pause.next())
    }
}
