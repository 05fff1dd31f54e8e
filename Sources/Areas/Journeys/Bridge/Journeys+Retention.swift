import Contract
import Store
import Tracking

extension Journeys {
    func sweep(_ sweep: Sweep, atMost limit: Int) throws(StoreError) -> Bool {
        let start = sweep.startedAt
        let retention = settings.retention
        let hasPaths = try withdrawPaths(endedBefore: start - retention.sosPath)
        let points = try transaction.deletePaths(
            endedBefore: start - max(settings.limits.retention, retention.sosPath), atMost: limit)
        return try deleteJourneys(sweep) || hasPaths || points >= limit
    }

    /// Paths have copies of the positions, so fixes need not wait for them; the path of a journey
    /// is deleted together with its fixes, and that of an SOS is kept for those who may see it.
    ///
    /// - Returns: whether there may be more.
    private func deleteJourneys(_ sweep: Sweep) throws(StoreError) -> Bool {
        guard settings.limits.retention < settings.retention.sosPath else { return false }
        let swept = memory.journeys.swept
        let result = try transaction.deleteJourneys(
            endedBefore: sweep.startedAt - settings.limits.retention,
            after: swept?.by == sweep.startedAt ? swept?.through : nil, atMost: Turn.maximumSweep)
        memory.journeys.swept = (result.place, by: sweep.startedAt)
        return result.hasMore
    }

    /// - Returns: whether there may be more.
    private func withdrawPaths(endedBefore time: Timestamp) throws(StoreError) -> Bool {
        // If the clock was set back, paths end before those that were withdrawn.
        if let last = memory.journeys.withdrawnThrough, last.at >= time {
            memory.journeys.withdrawnThrough = nil
        }
        let limit = Journeys.maximumWithdrawals
        let (shown, ends) = try transaction.withdrawPaths(
            endedBefore: time, after: memory.journeys.withdrawnThrough, atMost: limit)
        for (group, user) in shown {
            if let person = memory.people[user] { notePath(of: person, [group], from: nil) }
        }
        memory.journeys.withdrawnThrough = ends.last ?? memory.journeys.withdrawnThrough
        return ends.count >= limit
    }

    /// Paths that are withdrawn in one turn, each from a hundred groups at most.
    private static let maximumWithdrawals = 100
}
