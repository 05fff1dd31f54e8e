import Contract
import EarlyWarning
import JSON
import MQTT
import Sealing
import Store
import Tracking

/// Calls whoever sends help to somebody in need, again and again until they answer.
final class Dispatch: AreaHandler {
    typealias State = DispatchState

    unowned let turn: Turn
    init(_ turn: Turn) { self.turn = turn }

    func perform(
        _ command: DispatchCommand, by person: Person, on device: Device, _ asker: Requester
    ) throws(Refused) -> [UInt8]? {
        switch command {
        case .list(let before, let limit): try list(of: person, before: before, limit)
        }
    }

    static let counters = [
        "incidents", "incident-calls", "incident-updates", "incidents-acknowledged",
        "incidents-refused", "incidents-closed", "incidents-called-off",
    ]

    // MARK: Calling

    /// Calls for help, or calls anew if that is not over.
    func open(_ alarm: Monitor.Alarm, for person: Person, phone: String?) throws(StoreError) {
        let known = state.open[person.id]?.incident
        var incident = Incident(
            id: known?.id ?? UUIDv7(at: now, random: (random.next(), random.next())),
            details: .init(
                alarm: alarm, phone: phone, fix: person.tracker.latest, toldAt: now,
                events: known?.details.events ?? []))
        if let known {
            (incident.attempts, incident.messages) = (known.attempts + 1, known.messages + 1)
        } else {
            count("incidents")
            try log(.called, of: person)
        }
        count("incident-calls")
        let next = now + settings.emergency.firstRepeatAfter
        try save(State.Entry(incident: incident, nextAt: next), of: person)
        try tell(incident, of: person)
    }

    /// The person needs no help any more.
    ///
    /// - Returns: whether help had been called.
    func callOff(for person: Person) throws(StoreError) -> Bool {
        guard state.open[person.id] != nil else { return false }
        count("incidents-called-off")
        try close(.init(at: now, .calledOff), of: person)
        return true
    }

    func close(_ event: Incident.Event, of person: Person) throws(StoreError) {
        guard var entry = state.open[person.id] else { return }
        note(event, in: &entry.incident)
        entry.incident.status = .closed
        entry.incident.messages += 1
        entry.incident.details.toldAt = now
        entry.nextAt = nil
        try save(entry, of: person, closedAt: now)
        state.remove(person.id)
        // Told by itself: then nothing is retained any more.
        try send(topics.string(.incident(entry.incident.id)), message(entry.incident, of: person))
        retain(.incident(entry.incident.id), [])
    }

    func note(_ event: Incident.Event, in incident: inout Incident) {
        let room = BridgeSettings.maximumIncidentEvents - 1
        let kept = incident.details.events.suffix(room)
        incident.details.events = kept + [event]
    }

    func save(_ entry: State.Entry, of person: Person, closedAt: Timestamp? = nil)
        throws(StoreError)
    {
        state.set(entry, of: person.id)
        guard let keys = settings.sealingKeys else { return }
        let sealed = keys.seal(
            entry.incident.details.stored, as: IncidentRow.context(entry.incident.id),
            using: &random)
        try transaction.save(
            IncidentRow(
                entry.incident, of: person.id, nextAt: entry.nextAt, closedAt: closedAt, sealed))
    }

    private func message(_ incident: Incident, of person: Person) -> [UInt8] {
        Dispatch.message(incident, of: person, settings.emergency.sender)
    }

    private static func message(_ incident: Incident, of person: Person, _ sender: String)
        -> [UInt8]
    {
        IncidentMessage(
            incident, user: person.name, name: person.displayName, sender: sender
        ).payload
    }

    func tell(_ incident: Incident, of person: Person) throws(StoreError) {
        publish(
            Publication(
                topic: topics.string(.incident(incident.id)),
                payload: message(incident, of: person), qos: .atLeastOnce, retain: true,
                lane: .prompt))
    }

    // MARK: Again

    static func nextDue(_ memory: Memory) -> Timestamp? {
        memory.state(DispatchState.self).timers.next
    }

    func finish(_ people: [Person]) throws(StoreError) {
        for user in state.timers.take(by: now, atMost: BridgeSettings.maximumTimers) {
            guard let entry = state.open[user], let person = memory.people[user] else { continue }
            try callAgain(entry, of: person)
        }
        guard !state.open.isEmpty else { return }
        for person in people { try follow(person) }
    }

    func rescheduleAll() {
        for user in state.open.keys.sorted() { state.timers.schedule(user, by: now) }
    }

    private func callAgain(_ known: State.Entry, of person: Person) throws(StoreError) {
        var entry = known
        guard let next = entry.nextAt else { return }
        // If the clock was set back, it is not waited for.
        let isAhead = next > now + settings.emergency.laterRepeatAfter
        guard next <= now || isAhead else { return state.timers.schedule(person.id, by: next) }
        entry.incident.attempts += 1
        entry.incident.details.fix = person.tracker.latest ?? entry.incident.details.fix
        let isFrequent = entry.incident.attempts <= BridgeSettings.maximumFrequentCalls
        entry.nextAt =
            now
            + (isFrequent ? settings.emergency.repeatAfter : settings.emergency.laterRepeatAfter)
        count("incident-calls")
        try save(entry, of: person)
        try tell(entry.incident, of: person)
    }

    /// Tells where somebody in need is now, if they have moved.
    private func follow(_ person: Person) throws(StoreError) {
        guard var entry = state.open[person.id], let fix = person.tracker.latest,
            fix.takenAt != entry.incident.details.fix?.takenAt,
            now < entry.incident.details.toldAt
                || now >= entry.incident.details.toldAt + Dispatch.updatePause,
            entry.incident.messages < BridgeSettings.maximumIncidentUpdates
        else { return }
        entry.incident.details.fix = fix
        entry.incident.details.toldAt = now
        entry.incident.messages += 1
        count("incident-updates")
        try save(entry, of: person)
        try tell(entry.incident, of: person)
    }

    private static let updatePause = Duration.seconds(10)

    // MARK: Retained

    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .listed(.incident, let names) = topic, let id = names.incident else {
            return nil
        }
        return memory.state(DispatchState.self).user(of: id) != nil
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        let state = memory.state(DispatchState.self)
        guard let incident = state.open[person.id]?.incident else { return [] }
        return [(.incident(incident.id), message(incident, of: person, state.sender))]
    }
}
