import Contract
import Store
import Tracking

extension Turn {
    /// Lets happen what is due by itself.
    func advanceTimers() throws(StoreError) {
        let users = memory.timers.take(by: now, atMost: BridgeSettings.maximumTimers)
        if users.count == BridgeSettings.maximumTimers { count("turns-full-of-timers") }
        for person in users.compactMap({ memory.people[$0] }) {
            person.scheduled = nil
            let effects = person.tracker.advance(
                to: now, listeningSince: listeningSince, settings.rules)
            if effects.isEmpty {
                note(.schedule, person)
            } else {
                try apply(effects, to: person)
            }
        }
    }

    /// Everybody's timers, after the clock or the connection jumped. What was due before counts
    /// no more, as if memory had been read again, and nothing waits for what a clock that was set
    /// back said.
    func rescheduleAll() throws(StoreError) {
        memory.timers = TimerQueue()
        if memory.nextErasure != nil { memory.nextErasure = now }
        for person in memory.people.values {
            person.scheduled = nil
            note(.schedule, person)
            guard let effects = person.tracker.bound(by: now, settings.rules) else { continue }
            note(.save, person)
            try apply(effects, to: person)
        }
    }

    /// Deletes what need not be kept any longer, a bounded part of it.
    func sweep() throws(StoreError) {
        let kept = max(settings.limits.retention, settings.retention.sosPath)
        _ = try transaction.deleteFixes(
            receivedBefore: now - kept, atMost: Turn.maximumSweep)
        // Of what was deleted, the trackers alone can tell from now on.
        let first = try transaction.firstFix() ?? FixID(rawValue: .max)
        for person in memory.takeBehind(before: first) { note(.save, person) }
        for (group, user) in try transaction.withdrawPaths(
            endedBefore: now - settings.retention.sosPath)
        {
            if let person = memory.people[user] { notePath(of: person, [group], from: nil) }
        }
        try transaction.deletePaths(endedBefore: now - kept)
        try transaction.deleteAlerts(
            before: UUIDv7(at: now - settings.retention.alerts, random: (0, 0)))
        let chat = try transaction.deleteChat(
            writtenBefore: now - settings.retention.chat, atMost: Turn.maximumSweep)
        if chat > 0 { try keepChatOrder() }
        try transaction.deleteReplies(before: now - settings.retention.replies)
        try transaction.deleteOperatorReplies(before: now - Turn.oldestOperatorReply)
        try transaction.pruneAccessChanges(through: memory.lastSweptChange)
        memory.lastSweptChange = try transaction.lastAccessChange()
    }

    private static let maximumSweep = 10_000
    private static let oldestOperatorReply = Duration.seconds(3600)
}
