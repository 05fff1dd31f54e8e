import Limits

/// The expected event did not happen in time.
public struct NothingHappened: Error, CustomStringConvertible {
    public let description: String

    public init(_ description: String = "It did not happen in time.") {
        self.description = description
    }
}

/// How long the tests wait for an expected event, on a busy machine.
public let patience = Duration.seconds(25)

/// Waits until there is a value.
///
/// - Parameter what: what is waited for, for the failure's message.
@discardableResult
public func eventually<Value: Sendable>(
    _ what: @autoclosure () -> String, within limit: Duration = patience,
    isolation: isolated (any Actor)? = #isolation,
    _ value: () async throws -> Value?
) async throws -> Value {
    let deadline = ContinuousClock.now + limit
    var pause = Backoff(from: .milliseconds(5), to: .milliseconds(80))
    while true {
        if let value = try await value() { return value }
        guard ContinuousClock.now < deadline else {
            throw NothingHappened("Within \(limit) there was nothing of: \(what())")
        }
        // Slow conditions are checked less often, so that checks use up no one's allowance.
        try await Task.sleep(for: pause.next())
    }
}
