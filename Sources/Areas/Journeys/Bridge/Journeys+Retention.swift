import Contract
import Store
import Tracking

extension Journeys {
    /// Deletes old paths. Each kind has its own setting: a journey's path is deleted when its fixes
    /// may be, that of an SOS when it is no longer visible to anyone. Paths have copies of
    /// positions, so neither waits for the other.
    func sweep(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let journeys = sweep.startedAt - settings.limits.retention
        let calls = sweep.startedAt - settings.retention.sosPath
        let isShown = try withdrawPaths(endedBefore: calls)
        let hasJourneys = try delete(.journey, endedBefore: journeys, atMost: limit)
        // Withdrawing from the groups comes first.
        guard !isShown else { return true }
        return try delete(.sos, endedBefore: calls, atMost: limit) || hasJourneys
    }

    /// - Returns: whether there may be more.
    private func delete(_ mode: Path.Mode, endedBefore time: Timestamp, atMost limit: Int)
        throws -> Bool
    {
        // If the clock was set back, paths end before those already examined.
        if let last = state.swept[mode], last.at >= time {
            state.swept[mode] = nil
        }
        let result = try transaction.deletePaths(
            mode, endedBefore: time, after: state.swept[mode], atMost: limit)
        state.swept[mode] = result.place
        return result.hasMore
    }

    /// - Returns: whether there may be more.
    private func withdrawPaths(endedBefore time: Timestamp) throws -> Bool {
        // If the clock was set back, paths end before those already withdrawn.
        if let last = state.withdrawnThrough, last.at >= time {
            state.withdrawnThrough = nil
        }
        let limit = Journeys.maximumWithdrawals
        let (shown, ends) = try transaction.withdrawPaths(
            endedBefore: time, after: state.withdrawnThrough, atMost: limit)
        for (group, user) in shown {
            if let person = memory.people[user] { notePath(of: person, [group], from: nil) }
        }
        state.withdrawnThrough = ends.last ?? state.withdrawnThrough
        return ends.count >= limit
    }

    /// Paths withdrawn per turn, each from at most a hundred groups.
    private static let maximumWithdrawals = 100
}
