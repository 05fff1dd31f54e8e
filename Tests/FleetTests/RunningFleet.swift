import FakeGPS
import Foundation
import Synchronization
import TestBroker

/// A fleet on a thread of its own, and its reports.
final class RunningFleet: Sendable {
    private struct State {
        var progress = FleetStatistics()
        var events: [String] = []
        var result: Result<FleetStatistics, StateError>?
    }

    private let state: Box
    let fleet: Fleet

    /// State shared by two threads.
    private final class Box: Sendable {
        let value = Mutex(State())
    }

    init(_ phones: [Phone], _ options: Fleet.Options) {
        let state = Box()
        fleet = Fleet(phones, options) { event in
            state.value.withLock { state in
                switch event {
                case .progress(let tally): state.progress = tally
                case .requestRefused(let method, let problem):
                    state.events.append("\(method): \(problem)")
                case .fixesRefused(let problem): state.events.append("fixes: \(problem)")
                case .trouble: break
                }
            }
        }
        self.state = state
        Thread { [fleet] in
            let result = Result { () throws(StateError) in try fleet.run() }
            state.value.withLock { $0.result = result }
        }.start()
    }

    convenience init(
        _ phones: [Phone], at broker: TestBroker,
        configure: (inout Fleet.Options) -> Void = { _ in }
    ) {
        var options = Fleet.Options()
        options.port = Int32(broker.port)
        configure(&options)
        self.init(phones, options)
    }

    /// As of a second ago, at most.
    var progress: FleetStatistics { state.value.withLock { $0.progress } }
    var events: [String] { state.value.withLock { $0.events } }
    /// Nil while it runs.
    var result: Result<FleetStatistics, StateError>? { state.value.withLock { $0.result } }
    var isOver: Bool { result != nil }
}
