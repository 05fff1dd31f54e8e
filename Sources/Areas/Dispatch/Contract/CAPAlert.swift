internal import EarlyWarning
internal import Numbers
internal import Tracking

/// An incident as a message of the Common Alerting Protocol, version 1.2 (OASIS, 1 July 2010).
public struct CAPAlert: Sendable {
    let message: IncidentMessage

    init(_ message: IncidentMessage) { self.message = message }

    private var incident: Incident { message.incident }
    private var details: Incident.Details { incident.details }

    public var xml: String {
        var xml = XML()
        xml.text += #"<?xml version="1.0" encoding="UTF-8"?>"# + "\n"
        xml.text += #"<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2">"#
        xml.add("identifier", identifier(incident.messages))
        xml.add("sender", message.sender)
        xml.add("sent", CAPAlert.time(details.toldAt))
        xml.add("status", status)
        xml.add("msgType", type)
        xml.add("scope", "Private")
        xml.add("addresses", "dispatch")
        if message.drill != nil { xml.add("note", "A drill: nobody needs help.") }
        if incident.messages > 1 { xml.add("references", reference) }
        xml.add("incidents", incident.id.description)
        xml.add("info") { info(&$0) }
        xml.text += "</alert>"
        return xml.text
    }

    private var status: String {
        switch message.drill {
        case .exercise: "Exercise"
        case .test: "Test"
        case nil: "Actual"
        }
    }

    private func info(_ xml: inout XML) {
        xml.add("language", "en")
        xml.add("category", "Health")
        xml.add("event", "Person in need of medical help")
        xml.add("responseType", "Execute")
        xml.add("urgency", "Immediate")
        xml.add("severity", "Severe")
        xml.add("certainty", details.alarm.reason == .unanswered ? "Possible" : "Likely")
        xml.add("effective", CAPAlert.time(incident.openedAt))
        xml.add("senderName", "Kith")
        xml.add(
            "headline",
            message.drill == nil
                ? "\(message.name) may need medical help" : "A drill: nobody needs help")
        xml.add("description", description)
        if let phone = details.phone { xml.add("contact", phone) }
        xml.add("user", message.user, as: "parameter")
        xml.add("emergencyNumber", message.number, as: "parameter")
        xml.add("score", "\(details.alarm.score.total)", as: "parameter")
        for reason in incident.reasons { xml.add("reason", reason, as: "parameter") }
        if let fix = details.fix {
            xml.add("positionTakenAt", CAPAlert.time(fix.takenAt), as: "parameter")
            if let accuracy = fix.accuracy {
                xml.add(
                    "positionAccuracyMetres", "\(Int(clamping: accuracy.rounded(.up)))",
                    as: "parameter")
            }
            xml.add("area") { xml in
                xml.add("areaDesc", "Last known position of \(message.name)")
                xml.add("circle", CAPAlert.circle(fix))
            }
        }
    }

    /// From the second message on, `Update`; the last one cancels those before.
    private var type: String {
        if incident.status == .closed { return "Cancel" }
        return incident.messages > 1 ? "Update" : "Alert"
    }

    private func identifier(_ number: Int) -> String { "\(incident.id).\(number)" }

    /// The first message, which all others are about.
    private var reference: String {
        "\(message.sender),\(identifier(1)),\(CAPAlert.time(incident.openedAt))"
    }

    private var description: String {
        guard message.drill == nil else {
            return "This is a drill, by which an operator finds out whether the way works. Nobody "
                + "needs help. Please answer it like a call."
        }
        var sentences = [
            "The vital signs of \(message.name) suggest that they need help"
                + (details.alarm.reason == .unanswered
                    ? ", and they have not answered whether they are all right." : ".")
        ]
        if let fix = details.fix {
            let seconds = max(0, (details.toldAt - fix.takenAt).milliseconds / 1_000)
            sentences.append("The position was taken \(seconds) s before this message.")
        } else {
            sentences.append("No position is known.")
        }
        switch details.events.last?.kind {
        case .calledOff: sentences.append("They say that they need no help any more.")
        case .accountDeleted:
            sentences.append(
                "Their account was deleted. Nobody has said that they are safe.")
        case .acknowledged, .refused, .closed, nil: break
        }
        sentences.append("This was found by a watch, which is no medical device.")
        return sentences.joined(separator: " ")
    }

    // MARK: Values

    /// `2026-11-23T16:40:00-00:00`: the standard has no `Z`, and no fractions of a second.
    static func time(_ time: Timestamp) -> String { "\(time.rfc3339.prefix(19))-00:00" }

    /// A point and a radius in kilometres, which is 0 if nobody knows.
    private static func circle(_ fix: Fix) -> String {
        let coordinate = fix.coordinate
        let radius = ((fix.accuracy ?? 0) / 10).rounded(.up) / 100
        return "\(coordinate.latitude),\(coordinate.longitude) \(radius)"
    }
}

/// Elements of an XML document.
private struct XML {
    var text = ""

    mutating func add(_ name: String, _ content: String) {
        text += "<\(name)>\(content.escapedForXML)</\(name)>"
    }

    mutating func add(_ name: String, _ content: (inout XML) -> Void) {
        text += "<\(name)>"
        content(&self)
        text += "</\(name)>"
    }

    /// A name with a value.
    mutating func add(_ name: String, _ value: String, as element: String) {
        add(element) { xml in
            xml.add("valueName", name)
            xml.add("value", value)
        }
    }
}
