import Contract
import JSON
import MQTT
import Store
import Tracking

/// Dispatch's answers and requests.
extension Dispatch {
    func take(_ message: Message, _ topic: Topic) throws -> Bool {
        switch topic {
        case .listed(.incidentAnswer, let names): try takeAnswer(message, names.incident)
        case .listed(.incidentVitalsRequest, let names): try takeRequest(message, names.incident)
        default: return false
        }
        return true
    }

    private func takeAnswer(_ message: Message, _ id: UUIDv7?) throws {
        let person = person(in: id)
        guard let id, person != nil || state.drills[id] != nil else { return reject(message) }
        let answer: DispatchAnswer
        do throws(Problem) {
            answer = try DispatchAnswer(message.payload)
        } catch {
            return reject(message, error)
        }
        if let person {
            try take(answer, about: person)
        } else {
            try note(.answered, by: .mqtt, in: id)
        }
    }

    /// Handles the outcome of a call by a way other than the broker.
    func take(_ outcome: any WorkOutcome) throws -> Bool {
        guard let outcome = outcome as? DispatchOutcome else { return false }
        if let person = person(in: outcome.key.incident) {
            try take(outcome, about: person)
        } else {
            try take(outcome, ofDrill: outcome.key.incident)
        }
        return true
    }

    private func take(_ outcome: DispatchOutcome, about person: Person) throws {
        switch outcome.result {
        case .answered(let answer): try take(answer, about: person)
        case .taken: break
        case .failed:
            count("incident-calls-failed")
            try goOn(after: outcome.key.way, for: person)
        }
    }

    /// Calls the next way immediately after a failed one; the failed way is retried by the clock.
    private func goOn(after way: Int, for person: Person) throws {
        guard var entry = state.open[person.id], entry.incident.status == .calling,
            way == entry.incident.details.escalation.ways - 1,
            way + 1 < area(of: entry.incident).ways.count
        else { return }
        try escalate(&entry.incident, of: person)
        try tell(entry, of: person, .nextWay)
    }

    private func person(in id: UUIDv7?) -> Person? {
        id.flatMap { state.user(of: $0) }.flatMap { memory.people[$0] }
    }

    private func take(_ answer: DispatchAnswer, about person: Person) throws {
        guard var entry = state.open[person.id] else { return }
        func event(_ kind: Incident.Event.Kind) -> Incident.Event {
            Incident.Event(at: now, kind, by: answer.by, note: answer.note)
        }
        switch answer.status {
        case .acknowledged:
            guard entry.incident.status == .calling else { return }
            count("incidents-acknowledged")
            note(event(.acknowledged), in: &entry.incident)
            entry.incident.status = .acknowledged
            entry.nextAt = nil
            try tell(entry, of: person, .news)
            try noteAssistance(to: person)
            try areas.notices.add(.help(.acknowledged, by: answer.by), for: person)
        case .refused:
            count("incidents-refused")
            note(event(.refused), in: &entry.incident)
            // An acknowledged incident is called again.
            if entry.incident.status == .acknowledged {
                entry.incident.status = .calling
                entry.nextAt = now + settings.emergency.firstRepeatAfter
            }
            // Repeated refusals must not use up all ways immediately.
            let escalation = entry.incident.details.escalation
            let mayEscalate = escalation.since < entry.incident.attempts || escalation.ways == 1
            let isWayNew = mayEscalate ? try escalate(&entry.incident, of: person) : false
            try tell(entry, of: person, isWayNew ? .nextWay : .record)
        case .closed:
            count("incidents-closed")
            try close(event(.closed), of: person)
            try noteAssistance(to: person)
            try areas.notices.add(.help(.closed, by: answer.by), for: person)
        }
    }

    private func noteAssistance(to person: Person) throws {
        for area in areas.all { try area.assisted(person) }
    }

    private func reject(
        _ message: Message,
        _ problem: Problem = Problem(.unknownIncident, "No incident with that id is open.")
    ) {
        count("rejected")
        count("rejected-\(problem.kind.rawValue)")
        let payload = JSONWriter.object { json in
            json.key("topic")
            json.string(message.topic)
            json.key("problem")
            json.problem(problem)
        }
        publish(
            Publication(
                topic: topics.string(.dispatchRejected), payload: payload, qos: .atLeastOnce))
    }

    // MARK: Vital signs

    private func takeRequest(_ message: Message, _ id: UUIDv7?) throws {
        guard let id, let person = person(in: id) else { return reject(message) }
        try tell(try readCondition(of: person), of: person, in: id)
    }

    func log(
        _ what: AccessEntry.What, of person: Person, _ seen: AccessEntry.Seen? = nil,
        count: Int? = nil
    ) throws {
        try transaction.log(
            AccessEntry(at: now, by: .dispatch, what: what, seen: seen, count: count),
            of: person.id)
    }
}
