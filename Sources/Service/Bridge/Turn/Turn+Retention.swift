import Contract
import Store
import Tracking

extension Turn {
    /// Begins to delete expired data, unless a sweep is in progress.
    func beginSweep() throws {
        guard memory.sweep == nil else { return }
        memory.sweep = Sweep(
            startedAt: now, accessChange: memory.lastSweptChange, next: now)
        memory.lastSweptChange = try transaction.lastAccessChange()
    }

    /// Deletes a bounded part; the next part is due shortly afterwards, so that others' messages
    /// are handled in between. A call for help of this turn is sent first.
    ///
    /// - Parameter rows: the maximum number of deleted rows of each kind.
    /// - Returns: whether there was data to delete.
    func continueSweep(atMost rows: Int) throws -> Bool {
        guard let sweep = memory.sweep, sweep.next <= now, !hasCallForHelp else { return false }
        guard begins(.expiring) else {
            memory.sweep = nil
            return false
        }
        if try step(sweep, atMost: decisions.sweptRows(rows)) {
            let isLate = memory.sweepLag > SweepPace.late
            memory.sweep?.next = now + (isLate ? SweepPace.shortPause : SweepPace.pause)
        } else {
            memory.sweep = nil
        }
        endWork()
        return true
    }

    private static let oldestOperatorReply = Duration.seconds(3600)

    /// - Returns: whether there may be more.
    private func step(_ sweep: Sweep, atMost limit: Int) throws -> Bool {
        let start = sweep.startedAt
        let retention = settings.retention
        let hasFixes = try transaction.deleteFixes(
            receivedBefore: start - settings.limits.retention, atMost: limit)
        let oldest = try transaction.oldestReception()
        memory.sweepLag = oldest.map { max(.zero, now - settings.limits.retention - $0) } ?? .zero
        // The data of deleted fixes is from now on only in the trackers, so they are saved.
        let first = try transaction.firstFix() ?? FixID(rawValue: .max)
        for person in memory.takeBehind(before: first) { note(.save, person) }
        var hasMore = hasFixes
        for (area, work) in zip(areas.all, ClockWork.sweeping) where begins(work) {
            if try area.sweep(sweep, atMost: limit) { hasMore = true }
        }
        _ = begins(.expiring)
        let replies = try transaction.deleteReplies(
            before: start - retention.replies, atMost: limit)
        try transaction.deletePutAside(before: start - retention.putAside)
        let answers = try transaction.deleteOperatorReplies(
            before: start - Turn.oldestOperatorReply, atMost: limit)
        let changes = try transaction.pruneAccessChanges(
            through: sweep.accessChange, atMost: limit)
        // This also deletes the name of an erased account.
        if changes > 0 { noteDeletion() }
        return hasMore || [replies, answers, changes].contains { $0 >= limit }
    }
}
