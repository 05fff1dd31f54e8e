import Contract
import Store
import Tracking

extension Turn {
    /// Begins to delete what need not be kept any longer, unless a sweep is in progress.
    func beginSweep() throws(StoreError) {
        guard memory.sweep == nil else { return }
        memory.sweep = Sweep(
            startedAt: now, accessChange: memory.lastSweptChange, next: now)
        memory.lastSweptChange = try transaction.lastAccessChange()
    }

    /// Deletes a bounded part; the next part is due a moment later, so that others' messages are
    /// taken in between. A call for help that came in this turn is sent first.
    ///
    /// - Parameter rows: of each kind, that are deleted at most.
    /// - Returns: whether something was to be deleted.
    func continueSweep(atMost rows: Int) throws(StoreError) -> Bool {
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
    private func step(_ sweep: Sweep, atMost limit: Int) throws(StoreError) -> Bool {
        let start = sweep.startedAt
        let retention = settings.retention
        let hasFixes = try transaction.deleteFixes(
            receivedBefore: start - settings.limits.retention, atMost: limit)
        let oldest = try transaction.oldestReception()
        memory.sweepLag = oldest.map { max(.zero, now - settings.limits.retention - $0) } ?? .zero
        // What was in deleted fixes is from now on known only to the trackers, so they are saved.
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
        // With them goes the name of an erased account.
        if changes > 0 { noteDeletion() }
        return hasMore || [replies, answers, changes].contains { $0 >= limit }
    }
}
