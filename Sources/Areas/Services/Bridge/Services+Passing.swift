import Contract
import DequeModule
import JSON
import MQTT
import Store
import Tracking

/// Streaming to services: at the end of a turn, an array per service, as far as the person's budget
/// allows and no call for help is in progress.
extension Services {
    func pass(
        _ data: SharedData, takenAt time: Timestamp, of person: Person,
        _ write: (inout JSONWriter) -> Void
    ) {
        guard let subscribers = state.subscribers[person.id],
            subscribers.contains(where: { state.services[$0]?.data.contains(data) == true })
        else { return }
        if state.samples[person.id]?.isEmpty != false { state.passing.append(person) }
        state.samples[person.id, default: PassingSamples()]
            .append(JSONWriter.value(write), data, takenAt: time)
    }

    func finish(_ people: [Person]) throws {
        guard !turn.hasCallForHelp else { return }
        try putQuestions()
        try logDenials()
        let start = turn.spent
        for _ in state.passing.indices {
            guard turn.spent - start < settings.fairness.turnShare,
                let person = state.passing.popFirst()
            else { return }
            let isLate = person.budget.isOverdrawn(at: now)
            guard person.budget.take(.samples, at: now) else {
                state.passing.append(person)
                continue
            }
            try charge(person.budget) { try publishSamples(of: person, isLate: isLate) }
            if state.samples[person.id] != nil { state.passing.append(person) }
        }
    }

    private func publishSamples(of person: Person, isLate: Bool) throws {
        guard var samples = state.samples.removeValue(forKey: person.id),
            let subscribers = state.subscribers[person.id]
        else { return }
        let part = samples.take(
            fitting: max(1, Services.bytesPassedOn / subscribers.count), isLate: isLate)
        if !samples.isEmpty { state.samples[person.id] = samples }
        count("samples-thinned", part.thinned)
        var payloads: [SharedData: [UInt8]] = [:]
        for service in subscribers.compactMap({ state.services[$0] }) {
            let data = service.data
            guard let account = memory.people[service.id],
                let payload = payloads[data] ?? part.payload(of: data)
            else { continue }
            payloads[data] = payload
            let topic = Topic.samples(of: person.name, for: account.name)
            publish(Publication(topic: topics.string(topic), payload: payload))
            count("samples-passed-on", part.count(of: data))
            try logStream(part, to: service, of: person)
        }
    }

    /// Logs what was published in its owner's log, with one entry per hour and service.
    private func logStream(
        _ part: PassingSamples.Part, to service: ServiceRow, of person: Person
    ) throws {
        state.streams[person.id, default: [:]][service.id] = try log(
            .streamed, of: person.id, by: service, part.seen(of: service.data),
            count: part.count(of: service.data),
            in: state.streams[person.id]?[service.id])
    }

    /// One person's bytes for all services together, per turn; for a single service less than a
    /// message can hold.
    private static let bytesPassedOn = 49_152
}
