import Synchronization
import Web

/// The signs of life of one part of the service.
final class Pulse: Sendable {
    private struct Last {
        var beat: ContinuousClock.Instant?
        var isServing = false
    }

    /// The name of the awaited part while it does not serve: `the bridge's connection`.
    let name: String
    private let last = Mutex(Last())

    init(_ name: String) { self.name = name }

    /// - Parameter isServing: whether it is now serving; nil: unchanged.
    func beat(isServing: Bool? = nil) {
        last.withLock { $0 = Last(beat: .now, isServing: isServing ?? $0.isServing) }
    }

    var isServing: Bool { last.withLock { $0.isServing } }
    var hasBegun: Bool { last.withLock { $0.beat != nil } }

    func isAlive(within time: Duration, at now: ContinuousClock.Instant) -> Bool {
        last.withLock { last in last.beat.map { now - $0 <= time } ?? false }
    }
}

extension Pulse {
    /// Beats, for the page, once each of its threads has had its turn.
    func beatOnceAnswered() async {
        do {
            try await Web.answer()
            beat()
        } catch {
            // Its threads have ended, so there is no beat.
        }
    }
}
