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
    func continueSweep() throws(StoreError) {
        guard let sweep = memory.sweep, sweep.next <= now, !hasCalled else { return }
        if try step(sweep) {
            memory.sweep?.next = now + Turn.sweepPause
        } else {
            memory.sweep = nil
        }
    }

    /// Rows of each kind that are deleted in one turn.
    static let maximumSweep = 2_000
    private static let sweepPause = Duration.milliseconds(50)
    private static let oldestOperatorReply = Duration.seconds(3600)

    /// - Returns: whether there may be more.
    private func step(_ sweep: Sweep) throws(StoreError) -> Bool {
        let (start, limit) = (sweep.startedAt, Turn.maximumSweep)
        let retention = settings.retention
        let hasFixes = try transaction.deleteFixes(
            receivedBefore: start - settings.limits.retention, atMost: limit)
        // What was in deleted fixes is from now on known only to the trackers, so they are saved.
        let first = try transaction.firstFix() ?? FixID(rawValue: .max)
        for person in memory.takeBehind(before: first) { note(.save, person) }
        var hasMore = hasFixes
        for area in areas.all where try area.sweep(sweep, atMost: limit) { hasMore = true }
        let replies = try transaction.deleteReplies(
            before: start - retention.replies, atMost: limit)
        try transaction.deletePutAside(before: start - retention.putAside)
        let answers = try transaction.deleteOperatorReplies(
            before: start - Turn.oldestOperatorReply, atMost: limit)
        let changes = try transaction.pruneAccessChanges(
            through: sweep.accessChange, atMost: limit)
        return hasMore || [replies, answers, changes].contains { $0 >= limit }
    }
}
