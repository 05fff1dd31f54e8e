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
        if message.drill != nil { xml.add("note", "A drill: no one needs help.") }
        if incident.messages > 1 { xml.add("references", references) }
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
        let (response, urgency) = request
        xml.add("responseType", response)
        xml.add("urgency", urgency)
        xml.add("severity", "Severe")
        xml.add("certainty", details.alarm.reason == .unanswered ? "Possible" : "Likely")
        xml.add("effective", CAPAlert.time(incident.openedAt))
        xml.add("senderName", "Kith")
        xml.add(
            "headline",
            message.drill == nil
                ? "\(message.name) may need medical help" : "A drill: no one needs help")
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
            let position = CAPAlert.position(fix)
            xml.add("position", position, as: "parameter")
            xml.add("area") { xml in
                xml.add("areaDesc", "Last known position of \(message.name): \(position)")
                if let circle = CAPAlert.circle(fix) { xml.add("circle", circle) }
            }
        }
    }

    /// `Update` from the second message on; the last one cancels the previous ones.
    private var type: String {
        if incident.status == .closed { return "Cancel" }
        return incident.messages > 1 ? "Update" : "Alert"
    }

    /// The response type and urgency. The deletion of an account reveals nothing about the person's
    /// state.
    private var request: (response: String, urgency: String) {
        guard incident.status == .closed else { return ("Execute", "Immediate") }
        return details.events.last?.kind == .accountDeleted
            ? ("None", "Unknown") : ("AllClear", "Past")
    }

    private func identifier(_ number: Int) -> String { "\(incident.id).\(number)" }

    /// All previous messages; only the first one for an incident from before their times were
    /// stored.
    private var references: String {
        let isKnown = !details.earlier.isEmpty
        let earlier = isKnown ? details.earlier : [incident.openedAt]
        let first = isKnown ? incident.messages - earlier.count : 1
        return earlier.enumerated().map { index, sent in
            "\(message.sender),\(identifier(first + index)),\(CAPAlert.time(sent))"
        }.joined(separator: " ")
    }

    private var description: String {
        guard message.drill == nil else {
            return "This is a drill, with which an operator checks that dispatch can be reached. "
                + "No one needs help. Please answer it like a call."
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
        case .calledOff: sentences.append("They say they no longer need help.")
        case .accountDeleted:
            sentences.append(
                "Their account was deleted. No one has said that they are safe.")
        case .acknowledged, .refused, .closed, nil: break
        }
        sentences.append("This was detected by a watch, which is not a medical device.")
        return sentences.joined(separator: " ")
    }

    // MARK: Values

    /// Returns `2026-11-23T16:40:00-00:00`: the standard has no `Z`, and no fractions of a second.
    static func time(_ time: Timestamp) -> String { "\(time.rfc3339.prefix(19))-00:00" }

    /// Returns `46.0512345,14.5000000`, in degrees.
    private static func position(_ fix: Fix) -> String {
        "\(degrees(fix.coordinate.latitude)),\(degrees(fix.coordinate.longitude))"
    }

    /// Returns a point and a radius in kilometres; nil if the accuracy is unknown.
    private static func circle(_ fix: Fix) -> String? {
        guard let accuracy = fix.accuracy, accuracy > 0 else { return nil }
        let radius = Int64(clamping: (accuracy / 10).rounded(.up))
        return "\(position(fix)) \(decimal(radius, places: 2))"
    }

    /// Returns an angle with seven decimal places, about a centimetre.
    private static func degrees(_ angle: Double) -> String {
        decimal(Int64(clamping: (angle * 10_000_000).rounded()), places: 7)
    }

    /// Returns a number of units of 10^-`places`, never in exponential notation.
    private static func decimal(_ units: Int64, places: Int) -> String {
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        return (units < 0 ? "-" : "") + padded.dropLast(places) + "." + padded.suffix(places)
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

    /// Adds a name with a value.
    mutating func add(_ name: String, _ value: String, as element: String) {
        add(element) { xml in
            xml.add("valueName", name)
            xml.add("value", value)
        }
    }
}
