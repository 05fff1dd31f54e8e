internal import Contract
internal import Store
package import Tracking

/// The engine's figures: due times, and amounts of waiting and finished work.
extension Engine {
    /// When the next timer is due.
    package var nextTimer: Timestamp? {
        var next = [memory.timers.next, memory.nextErasure, memory.nextSweep]
        for (area, work) in zip(Areas.types, ClockWork.finishing) where !leftOut.contains(work) {
            record?.begin(work)
            next.append(area.nextDue(memory))
        }
        record?.endWork()
        return next.compactMap { $0 }.min()
    }

    /// When work that was held back because of its cost may resume; nil if none is.
    package func nextRelease(at now: Timestamp) -> Timestamp? {
        let requests = memory.line.people.map { $0.budget.next(.request, at: now) }
        let positions = memory.heldBack.values.map { $0.budget.next(.position, at: now) }
        let samples = memory.state(ServicesState.self).passing.map {
            $0.budget.next(.samples, at: now)
        }
        return (Array(requests) + positions + samples).min()
    }

    /// The number of requests, and of people's positions and samples, held back because of their
    /// cost.
    var heldBack: Int {
        memory.line.count + memory.heldBack.count + memory.state(ServicesState.self).passing.count
    }

    /// When the next step of a sweep is due; nil if none is in progress.
    var nextSweep: Timestamp? { memory.nextSweep }

    /// When a turn is to publish more path points; nil if none wait.
    var nextPath: Timestamp? { memory.state(JourneyState.self).paths.next }
    package var hasPathsToShow: Bool { nextPath != nil }

    /// The counters and amounts of waiting work, by metric name.
    var metrics: [String: Int64] {
        var metrics = counters
        metrics.set("attempts-forgotten", Int64(authentication.attempts.forgotten))
        metrics.set("guests-forgotten", Int64(authentication.connections.forgottenGuests))
        metrics.set("requests-waiting", Int64(memory.line.count))
        metrics.set("sweep-behind-seconds", memory.sweepLag.milliseconds / 1_000)
        metrics.set("passwords-waiting", openWork.count(of: .passwords))
        metrics.set("directory-waiting", openWork.count(of: .directory))
        metrics.set("arrivals-waiting", Int64(authentication.connections.changeCount))
        return metrics.values
    }

    /// Returns when the newest stored fix was received.
    func newestReception() throws(StoreError) -> Timestamp? {
        try store.transaction { try $0.newestReception() }
    }

    /// The number of new fixes since the start.
    var fixCount: Int { Int(counters.values["fixes"] ?? 0) }

    /// The number of calls for help that were announced to the groups, since the start.
    var callCount: Int { Int(counters.values["calls"] ?? 0) }

    /// Considers no device connected to a broker any more.
    func forgetConnections(at broker: Int) {
        let connections = authentication.connections
        guard let connected = connections.forget(broker) else { return }
        memory.disconnectAll(but: connected, connections)
    }

    /// Whether there are connections or disconnections that no turn has handled yet.
    var hasArrivals: Bool { authentication.connections.hasChanges }
}
