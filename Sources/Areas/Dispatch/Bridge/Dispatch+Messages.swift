import Contract
import MQTT
import Tracking

/// Messages about an incident, and the ways they are sent.
extension Dispatch {
    enum Occasion {
        /// An answer is expected.
        case call
        /// The same, by the most recently added way only.
        case nextWay
        /// Dispatch receives more information. Programs are not run for that.
        case news
        /// The incident is published at the broker only, without a new call: two ways that refuse
        /// would never stop.
        case record
        /// The incident is closed.
        case end
    }

    func area(of incident: Incident) -> DispatchAreas.Area {
        settings.emergency.dispatchAreas.area(at: incident.details.fix?.coordinate)
    }

    /// Stores the changes of an incident, and sends it by the ways in use.
    func tell(_ known: State.Entry, of person: Person, _ occasion: Occasion) throws {
        var entry = known
        let ways = area(of: entry.incident).ways.prefix(entry.incident.details.escalation.ways)
        if ways.contains(.mqtt) { entry.incident.details.escalation.isRetained = true }
        try save(entry, of: person)
        if entry.incident.details.escalation.isRetained {
            publish(
                Publication(
                    topic: topics.string(.incident(entry.incident.id)),
                    payload: message(entry.incident, of: person),
                    qos: .atLeastOnce, retain: true, lane: .prompt))
        }
        let isFirst = occasion == .call && entry.incident.attempts == 1
        if isFirst || occasion == .nextWay {
            let condition = try readCondition(of: person)
            if isFirst ? ways.contains(.mqtt) : ways.last == .mqtt {
                try tell(condition, of: person, in: entry.incident.id)
            }
        }
        try handOver(entry.incident, of: person, occasion)
    }

    /// Submits the message for the ways other than the broker, with the person's condition.
    func handOver(_ incident: Incident, of person: Person, _ occasion: Occasion) throws {
        let ways = area(of: incident).ways.prefix(incident.details.escalation.ways)
        guard occasion != .record, ways.contains(where: { $0 != .mqtt }) else { return }
        let payload = message(
            incident, of: person, occasion == .end ? nil : try condition(of: person))
        for (index, way) in ways.enumerated() {
            switch (way, occasion) {
            case (.mqtt, _), (.command, .news): continue
            case (_, .nextWay) where index != ways.count - 1: continue
            case (.webhook, _), (.command, _): break
            }
            turn.work.append(
                DispatchCall(
                    key: .init(incident.id, way: index), way: way,
                    id: "\(incident.id)-\(incident.attempts)-\(incident.messages)",
                    payload: payload, tries: occasion == .end ? Dispatch.triesAtTheEnd : 1))
        }
    }

    /// The end of an incident is not repeated later.
    private static let triesAtTheEnd = 5

    func message(
        _ incident: Incident, of person: Person, _ condition: PatientCondition? = nil
    ) -> [UInt8] {
        Dispatch.message(incident, of: person, settings.emergency, condition)
    }

    private static func message(
        _ incident: Incident, of person: Person, _ settings: EmergencySettings,
        _ condition: PatientCondition? = nil
    ) -> [UInt8] {
        let area = settings.dispatchAreas.area(at: incident.details.fix?.coordinate)
        return IncidentMessage(
            incident, user: person.name.text, name: person.displayName, sender: settings.sender,
            area: area.name, number: area.number, condition: condition
        ).payload
    }

    // MARK: Retained

    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .listed(.incident, let names) = topic, let id = names.incident else {
            return nil
        }
        let state = memory.state(DispatchState.self)
        let incident = state.user(of: id).flatMap { state.open[$0]?.incident }
        return incident?.details.escalation.isRetained == true || state.drills[id] != nil
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        let state = memory.state(DispatchState.self)
        guard let incident = state.open[person.id]?.incident,
            incident.details.escalation.isRetained
        else { return [] }
        return [(.incident(incident.id), message(incident, of: person, state.settings))]
    }
}
