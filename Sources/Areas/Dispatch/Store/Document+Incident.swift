import Contract
import EarlyWarning
import JSON
import Tracking

extension Document {
    /// Returns the text to be encrypted, as it contains the reason for the call.
    static func text(_ details: Incident.Details) -> String {
        text { json in
            json.member(DocumentKey.inNeed, details.alarm) { $0.alarm($1) }
            json.member(DocumentKey.phone, details.phone)
            json.member(DocumentKey.fix, details.fix) { $0.fixMembers($1) }
            json.member(DocumentKey.at, details.toldAt)
            if !details.earlier.isEmpty {
                json.key(DocumentKey.earlier)
                json.array(details.earlier) { $0.number($1.milliseconds) }
            }
            json.members(DocumentKey.events, details.events) { json, event in
                json.member(DocumentKey.at, event.at)
                json.member(DocumentKey.event, event.kind.rawValue)
                json.member(DocumentKey.by, event.by)
                json.member(DocumentKey.note, event.note)
            }
            let escalation = details.escalation
            json.member(
                DocumentKey.escalation, escalation == Incident.Escalation() ? nil : escalation
            ) { json, escalation in
                json.member(DocumentKey.ways, Int64(escalation.ways))
                json.member(DocumentKey.since, Int64(escalation.since))
                json.member(DocumentKey.isRetained, escalation.isRetained)
                json.member(DocumentKey.areGroupsTold, escalation.areGroupsTold)
            }
        }
    }

    static func incidentDetails(_ text: String) throws -> Incident.Details {
        let object = try object(text)
        return Incident.Details(
            alarm: try Monitor.Alarm(object.object(DocumentKey.inNeed)),
            phone: try object.string(ifPresent: DocumentKey.phone),
            fix: try object.object(ifPresent: DocumentKey.fix) { try Fix($0) },
            toldAt: try object.time(DocumentKey.at),
            earlier: try object.values(ifPresent: DocumentKey.earlier)?
                .compactMap(\.integer).map { Timestamp(milliseconds: $0) } ?? [],
            events: try object.objects(DocumentKey.events) { object in
                Incident.Event(
                    at: try object.time(DocumentKey.at), try object.word(DocumentKey.event),
                    by: try object.string(ifPresent: DocumentKey.by),
                    note: try object.string(ifPresent: DocumentKey.note))
            },
            escalation: try object.object(ifPresent: DocumentKey.escalation) { object in
                Incident.Escalation(
                    ways: try object.integer(DocumentKey.ways),
                    since: try object.integer(DocumentKey.since),
                    isRetained: try object.bool(DocumentKey.isRetained),
                    areGroupsTold: try object.bool(DocumentKey.areGroupsTold))
            } ?? Incident.Escalation())
    }
}
