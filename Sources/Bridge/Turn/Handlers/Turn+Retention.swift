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
        let hasPaths = try withdrawPaths(endedBefore: start - retention.sosPath)
        let points = try transaction.deletePaths(
            endedBefore: start - max(settings.limits.retention, retention.sosPath), atMost: limit)
        let hasJourneys = try deleteJourneys(sweep)
        let alerts = try transaction.deleteAlerts(
            before: UUIDv7(at: start - retention.alerts, random: (0, 0)), atMost: limit)
        let chat = try transaction.deleteChat(
            writtenBefore: start - retention.chat, atMost: limit)
        if chat > 0 { try keepChatOrder() }
        let replies = try transaction.deleteReplies(
            before: start - retention.replies, atMost: limit)
        try transaction.deletePutAside(before: start - retention.putAside)
        let answers = try transaction.deleteOperatorReplies(
            before: start - Turn.oldestOperatorReply, atMost: limit)
        let changes = try transaction.pruneAccessChanges(
            through: sweep.accessChange, atMost: limit)
        return hasFixes || hasPaths || hasJourneys
            || [points, alerts, chat, replies, answers, changes].contains { $0 >= limit }
    }

    /// Paths have copies of the positions, so fixes need not wait for them; the path of a journey
    /// is deleted together with its fixes, and that of an SOS is kept for those who may see it.
    ///
    /// - Returns: whether there may be more.
    private func deleteJourneys(_ sweep: Sweep) throws(StoreError) -> Bool {
        guard settings.limits.retention < settings.retention.sosPath else { return false }
        let result = try transaction.deleteJourneys(
            endedBefore: sweep.startedAt - settings.limits.retention,
            after: sweep.journeysThrough, atMost: Turn.maximumSweep)
        memory.sweep?.journeysThrough = result.place
        return result.hasMore
    }

    /// - Returns: whether there may be more.
    private func withdrawPaths(endedBefore time: Timestamp) throws(StoreError) -> Bool {
        // If the clock was set back, paths end before those that were withdrawn.
        if let last = memory.withdrawnThrough, last.at >= time { memory.withdrawnThrough = nil }
        let limit = Turn.maximumWithdrawals
        let (shown, ends) = try transaction.withdrawPaths(
            endedBefore: time, after: memory.withdrawnThrough, atMost: limit)
        for (group, user) in shown {
            if let person = memory.people[user] { notePath(of: person, [group], from: nil) }
        }
        memory.withdrawnThrough = ends.last ?? memory.withdrawnThrough
        return ends.count >= limit
    }

    /// Paths that are withdrawn in one turn, each from a hundred groups at most.
    private static let maximumWithdrawals = 100
}
