internal import Foundation
internal import Store
internal import Synchronization

/// A client that causes trouble while others use the service, doing only what an account, or a
/// guest, is allowed to do.
protocol NoisyNeighbour: Sendable {
    /// The nuisance's name in the report.
    func name(_ settings: NeighbourSettings) -> String
    /// The bridge's additional environment variables.
    var environment: [String: String] { get }
    /// Adds the people that it needs.
    func populate(_ population: inout Population) throws
    /// Prepares everything else that it needs, which is not measured.
    ///
    /// - Returns: the function that causes the trouble until `isOn` returns false, and returns a
    ///   remark for the report.
    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String
}

extension NoisyNeighbour {
    var environment: [String: String] { [:] }
    func populate(_ population: inout Population) {}
}

/// Runs a nuisance on a thread of its own.
final class NuisanceThread: Sendable {
    private struct State {
        var isReady = false
        var isOn = true
        var outcome: Result<String, any Error>?
    }

    private let state = Mutex(State())

    /// How long a nuisance may take to prepare itself, and how long to end.
    private static let patience = Duration.seconds(90)

    /// Returns when the nuisance is prepared and begins.
    init(_ nuisance: some NoisyNeighbour, in site: BenchSite) throws(NuisanceError) {
        let thread = Thread {
            giveWay()
            let outcome = Result {
                let body = try nuisance.prepare(in: site)
                self.state.withLock { $0.isReady = true }
                return try body { self.state.withLock { $0.isOn } }
            }
            self.state.withLock { ($0.outcome, $0.isReady) = (outcome, true) }
        }
        thread.name = "nuisance"
        thread.start()
        let start = ContinuousClock.now
        while !state.withLock({ $0.isReady }) {
            guard ContinuousClock.now - start < NuisanceThread.patience else {
                throw NuisanceError()
            }
            usleep(1000)
        }
    }

    func stop() { state.withLock { $0.isOn = false } }

    /// - Returns: the nuisance's remark, even if the broker did not let it continue.
    func end() throws(NuisanceError) -> String {
        stop()
        let start = ContinuousClock.now
        while ContinuousClock.now - start < NuisanceThread.patience {
            switch state.withLock({ $0.outcome }) {
            case .success(let remark): return remark
            case .failure(let error): return "\(error)"
            case nil: usleep(1000)
            }
        }
        throw NuisanceError()
    }
}

/// The nuisance failed to become ready, or does not end.
struct NuisanceError: Error {}
