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
        guard person.subscribers.contains(where: { $0.data.contains(data) }) else { return }
        if person.passing.isEmpty { state.passing.append(person) }
        person.passing.append(JSONWriter.value(write), data, takenAt: time)
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
            if !person.passing.isEmpty { state.passing.append(person) }
        }
    }

    private func publishSamples(of person: Person, isLate: Bool) throws {
        guard !person.subscribers.isEmpty else { return person.passing = PassingSamples() }
        let part = person.passing.take(
            fitting: max(1, Services.bytesPassedOn / person.subscribers.count), isLate: isLate)
        count("samples-thinned", part.thinned)
        var payloads: [SharedData: [UInt8]] = [:]
        for subscriber in person.subscribers {
            let data = subscriber.data
            guard let payload = payloads[data] ?? part.payload(of: data) else { continue }
            payloads[data] = payload
            publish(Publication(topic: subscriber.topic, payload: payload))
            count("samples-passed-on", part.count(of: data))
            try logStream(part, to: subscriber, of: person)
        }
    }

    /// Logs what was published in its owner's log, with one entry per hour and service.
    private func logStream(
        _ part: PassingSamples.Part, to subscriber: Person.Subscriber, of person: Person
    ) throws {
        guard let service = state.services[subscriber.service] else { return }
        state.streams[person.id, default: [:]][service.id] = try log(
            .streamed, of: person.id, by: service, part.seen(of: subscriber.data),
            count: part.count(of: subscriber.data),
            in: state.streams[person.id]?[service.id])
    }

    /// One person's bytes for all services together, per turn; for a single service less than a
    /// message can hold.
    private static let bytesPassedOn = 49_152
}
