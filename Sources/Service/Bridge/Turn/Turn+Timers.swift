import Contract
import Tracking

extension Turn {
    /// Handles the timers that are due.
    func advanceTimers() throws {
        let users = memory.timers.take(by: now, atMost: BridgeSettings.maximumTimers)
        if users.count == BridgeSettings.maximumTimers { count("turns-full-of-timers") }
        for person in users.compactMap({ memory.people[$0] }) {
            person.scheduled = nil
            if isCatchingUp, person.tracker.isJudgedByAbsence {
                person.scheduled = now + CatchUp.pause
                memory.timers.schedule(person.id, by: now + CatchUp.pause)
                continue
            }
            guard begins(.timers(of: person.id)) else { continue }
            let leftAt = person.tracker.leftAt
            let effects = person.tracker.advance(
                to: now, listeningSince: listeningSince, settings.rules)
            // Also for people without groups: a group that they join later shows it.
            if person.tracker.leftAt != leftAt { note(.save, person) }
            if effects.isEmpty {
                note(.schedule, person)
            } else {
                try apply(effects, to: person)
            }
        }
        endWork()
    }

    /// Reschedules all timers, after the clock was set or the connection changed. Earlier due times
    /// are discarded, as if memory had been read again, and nothing waits for a time that the clock
    /// showed before it was set back.
    func rescheduleAll() throws {
        memory.timers = TimerQueue()
        if memory.nextErasure != nil { memory.nextErasure = now }
        memory.sweep?.next = now
        for (area, work) in zip(areas.all, ClockWork.rescheduling) where begins(work) {
            area.rescheduleAll()
        }
        for person in memory.people.values {
            person.scheduled = nil
            guard begins(.timers(of: person.id)) else { continue }
            note(.schedule, person)
            guard let effects = person.tracker.bound(by: now, settings.rules) else { continue }
            note(.save, person)
            try apply(effects, to: person)
        }
        endWork()
    }
}
