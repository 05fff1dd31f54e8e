/// Returns the operation's result, or nil if that takes longer; then the operation continues
/// unattended.
func first<Value: Sendable>(
    within limit: Duration, _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let (outcomes, continuation) = AsyncStream.makeStream(of: Value?.self)
    Task { continuation.yield(await operation()) }
    let timer = Task {
        do { try await Task.sleep(for: limit) } catch {}
        continuation.yield(nil)
    }
    defer { timer.cancel() }
    for await outcome in outcomes { return outcome }
    return nil
}
