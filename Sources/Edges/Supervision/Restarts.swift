internal import Limits

/// Runs a body repeatedly until cancelled, with a pause between that doubles from one end to the
/// next (``firstPause``, ``longestPause``) and starts over once the body ran for longer than the
/// longest.
package func runAgain<Failure: Error>(_ body: () async throws(Failure) -> Void)
    async throws(Failure)
{
    var pauses = Backoff(from: firstPause, to: longestPause)
    while !Task.isCancelled {
        let start = ContinuousClock.now
        try await body()
        if ContinuousClock.now - start > longestPause { pauses.reset() }
        await pause(pauses.next())
    }
}

private let firstPause = Duration.milliseconds(100)
private let longestPause = Duration.seconds(5)

/// Sleeps; returns early if cancelled.
package func pause(_ duration: Duration) async {
    do { try await Task.sleep(for: duration) } catch {}
}
