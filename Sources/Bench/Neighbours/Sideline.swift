internal import Foundation
internal import Synchronization

/// Somebody who makes trouble while others live their lives.
protocol Nuisance: Sendable {
    /// As the report calls it.
    var name: String { get }
    /// Makes what it needs, which is not measured.
    ///
    /// - Returns: what makes the trouble, until it is told to end; it tells what came of it.
    func prepare() throws -> (_ isOn: () -> Bool) throws -> String
}

/// A nuisance on a thread of its own.
final class Sideline: Sendable {
    private struct State {
        var isReady = false
        var isOn = true
        var outcome: Result<String, any Error>?
    }

    private let state = Mutex(State())

    /// Returns when the nuisance is prepared and begins.
    init(_ nuisance: some Nuisance) {
        let thread = Thread {
            giveWay()
            let outcome = Result {
                let body = try nuisance.prepare()
                self.state.withLock { $0.isReady = true }
                return try body { self.state.withLock { $0.isOn } }
            }
            self.state.withLock { ($0.outcome, $0.isReady) = (outcome, true) }
        }
        thread.name = "nuisance"
        thread.start()
        while !state.withLock({ $0.isReady }) { usleep(1000) }
    }

    /// - Returns: what it has to tell.
    func end() throws -> String {
        state.withLock { $0.isOn = false }
        while true {
            if let outcome = state.withLock({ $0.outcome }) { return try outcome.get() }
            usleep(1000)
        }
    }
}
