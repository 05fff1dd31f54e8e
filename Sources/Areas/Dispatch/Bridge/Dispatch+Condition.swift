import Contract
import MQTT
import Store
import Tracking

/// Age, gender and vital signs of a person in need, for dispatch. They are sent, but neither
/// retained nor stored with the incident.
extension Dispatch {
    /// Reads the condition for dispatch, and records that in the person's access log.
    func readCondition(of person: Person) throws -> PatientCondition {
        let condition = try condition(of: person)
        let times = condition.samples.map(\.vitals.takenAt)
        let seen = times.min().map { first in
            AccessEntry.Seen(.vitals, first...max(first, times.max() ?? first))
        }
        try log(.readForHelp, of: person, seen, count: condition.samples.count)
        return condition
    }

    func condition(of person: Person) throws -> PatientCondition {
        let rows = try transaction.vitals(
            of: person.id, from: now - Dispatch.vitalsFrom, to: nil, before: nil,
            limit: Dispatch.mostVitals)
        let profile = try areas.vitals.storedProfile(of: person.id)
        return PatientCondition(
            age: profile?.dateOfBirth?.age(at: now), gender: profile?.gender,
            samples: rows.compactMap { areas.vitals.opened($0, of: person) })
    }

    /// Publishes the condition to connected clients: with QoS 0 the broker keeps nothing for
    /// sessions whose client is away, neither in memory nor in its file.
    func tell(_ condition: PatientCondition, of person: Person, in incident: UUIDv7) throws {
        publish(
            Publication(
                topic: topics.string(.incidentVitals(incident)),
                payload: condition.payload(of: person.name.text, person.displayName),
                qos: .atMostOnce, lane: .prompt))
    }

    private static let vitalsFrom = Duration.seconds(3_600)
    private static let mostVitals = 100
}
