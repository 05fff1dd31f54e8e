import Contract
import EarlyWarning
import JSON
import MQTT
import Sealing
import Store
import Tracking

/// Calls dispatch for a person in need, repeatedly until they answer.
final class Dispatch: AreaHandler {
    typealias State = DispatchState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: DispatchCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws -> [UInt8]? {
        switch command {
        case .list(let before, let limit): try list(of: person, before: before, limit)
        }
    }

    static let counters = [
        "incidents", "incident-calls", "incident-calls-failed", "incident-updates",
        "incidents-acknowledged", "incidents-refused", "incidents-closed", "incidents-called-off",
        "incidents-unanswered", "incidents-unreadable", "drills", "drill-ways-unanswered",
    ]

    static func workers(
        _ settings: BridgeSettings, database: DatabaseAddress, _ outcomes: Outcomes
    ) -> [Worker] {
        [Worker(DispatchWorker(settings.channels, outcomes).submit)]
    }

    /// Whether a call for help for the person is in progress.
    func needs(_ person: Person) -> Bool { state.open[person.id] != nil }

    // MARK: Calling

    /// Calls for help, or calls again if an incident is open.
    func open(_ alarm: Monitor.Alarm, for person: Person, phone: String?) throws {
        let known = state.open[person.id]?.incident
        var escalation = known?.details.escalation ?? .init(isRetained: false)
        escalation.areGroupsTold = false
        var incident = Incident(
            id: known?.id ?? UUIDv7(at: now, random: (random.next(), random.next())),
            details: .init(
                alarm: alarm, phone: phone, fix: person.tracker.latest,
                toldAt: known?.details.toldAt ?? now, earlier: known?.details.earlier ?? [],
                events: known?.details.events ?? [], escalation: escalation))
        if let known {
            (incident.attempts, incident.messages) = (known.attempts + 1, known.messages)
            incident.beginMessage(at: now)
            incident.details.escalation.since = incident.attempts
        } else {
            // A person has at most one open incident.
            if let lost = state.takeUnreadable(of: person.id) {
                count("incidents-unreadable")
                try transaction.closeIncident(lost, at: now)
            }
            count("incidents")
            try log(.called, of: person)
        }
        count("incident-calls")
        let next = now + settings.emergency.firstRepeatAfter
        try tell(State.Entry(incident: incident, nextAt: next), of: person, .call)
    }

    /// Closes the incident because the person no longer needs help.
    ///
    /// - Returns: whether help had been called.
    func callOff(for person: Person) throws -> Bool {
        guard state.open[person.id] != nil else { return false }
        count("incidents-called-off")
        try close(.init(at: now, .calledOff), of: person)
        try areas.notices.add(.help(.calledOff, by: nil), for: person)
        return true
    }

    func close(_ event: Incident.Event, of person: Person) throws {
        guard var entry = state.open[person.id] else { return }
        note(event, in: &entry.incident)
        entry.incident.status = .closed
        entry.incident.beginMessage(at: now)
        entry.nextAt = nil
        try save(entry, of: person, closedAt: now)
        state.remove(person.id)
        if entry.incident.details.escalation.isRetained {
            // Sent separately, since nothing is retained afterwards.
            try send(
                topics.string(.incident(entry.incident.id)), message(entry.incident, of: person))
            retain(.incident(entry.incident.id), [])
        }
        try handOver(entry.incident, of: person, .end)
    }

    func note(_ event: Incident.Event, in incident: inout Incident) {
        let room = BridgeSettings.maximumIncidentEvents - 1
        let kept = incident.details.events.suffix(room)
        incident.details.events = kept + [event]
    }

    func save(_ entry: State.Entry, of person: Person, closedAt: Timestamp? = nil) throws {
        state.set(entry, of: person.id)
        guard let keys = settings.sealingKeys else { return }
        let sealed = keys.seal(
            entry.incident.details.stored, as: IncidentRow.context(entry.incident.id),
            using: &random)
        try transaction.save(
            IncidentRow(
                entry.incident, of: person.id, nextAt: entry.nextAt, closedAt: closedAt, sealed))
    }

    // MARK: Repetition

    static func nextDue(_ memory: Memory) -> Timestamp? {
        let state = memory.state(DispatchState.self)
        return [state.timers.next, state.nextDrillDue].compactMap(\.self).min()
    }

    func finish(_ people: [Person]) throws {
        for user in state.timers.take(by: now, atMost: BridgeSettings.maximumTimers) {
            guard let entry = state.open[user], let person = memory.people[user] else { continue }
            try callAgain(entry, of: person)
        }
        try advanceDrills()
        guard !state.open.isEmpty else { return }
        for person in people { try follow(person) }
    }

    func rescheduleAll() {
        for user in state.open.keys.sorted() { state.timers.schedule(user, by: now) }
        state.drillsDue = now
    }

    private func callAgain(_ known: State.Entry, of person: Person) throws {
        var entry = known
        guard let next = entry.nextAt else { return }
        // If the clock was set back, do not wait for it.
        let isAhead = next > now + settings.emergency.laterRepeatAfter
        guard next <= now || isAhead else { return state.timers.schedule(person.id, by: next) }
        entry.incident.attempts += 1
        if let fix = person.tracker.latest, fix.takenAt != entry.incident.details.fix?.takenAt {
            entry.incident.details.fix = fix
            // Beyond the limit the last message is repeated, with the new position.
            if entry.incident.messages < BridgeSettings.maximumIncidentUpdates {
                entry.incident.beginMessage(at: now)
            }
        }
        entry.nextAt = now + pause(after: entry.incident.attempts)
        count("incident-calls")
        let escalation = entry.incident.details.escalation
        if entry.incident.attempts - escalation.since >= settings.emergency.callsPerWay {
            try escalate(&entry.incident, of: person)
        }
        try tell(entry, of: person, .call)
    }

    func pause(after attempts: Int) -> Duration {
        if attempts <= 1 { return settings.emergency.firstRepeatAfter }
        return attempts <= BridgeSettings.maximumFrequentCalls
            ? settings.emergency.repeatAfter : settings.emergency.laterRepeatAfter
    }

    /// Escalates an unanswered call: adds the next way, or without one, notifies the groups that
    /// they have to call for help themselves.
    ///
    /// - Returns: whether there is another way.
    @discardableResult
    func escalate(_ incident: inout Incident, of person: Person) throws -> Bool {
        let area = area(of: incident)
        if incident.details.escalation.ways < area.ways.count {
            incident.details.escalation.ways += 1
            incident.details.escalation.since = incident.attempts
            return true
        }
        guard !incident.details.escalation.areGroupsTold else { return false }
        incident.details.escalation.areGroupsTold = true
        count("incidents-unanswered")
        for area in areas.all { try area.unanswered(person, at: incident.details.fix) }
        try areas.notices.add(.help(.unanswered, by: nil), for: person)
        return false
    }

    /// Sends the position of a person in need, if it has changed.
    private func follow(_ person: Person) throws {
        guard var entry = state.open[person.id], let fix = person.tracker.latest,
            fix.takenAt != entry.incident.details.fix?.takenAt,
            // A fix published before the sample that caused the call may arrive just after it.
            entry.incident.messages == 1 || now < entry.incident.details.toldAt
                || now >= entry.incident.details.toldAt + Dispatch.updatePause,
            entry.incident.messages < BridgeSettings.maximumIncidentUpdates
        else { return }
        entry.incident.details.fix = fix
        entry.incident.beginMessage(at: now)
        count("incident-updates")
        try tell(entry, of: person, .news)
    }

    private static let updatePause = Duration.seconds(10)
}
