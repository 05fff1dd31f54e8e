internal import JSON
internal import Numbers
public import Tracking

/// Messages for OwnTracks apps about a member, in the JSON types that the apps require: whole
/// numbers as whole numbers, and always with `tid`.
public enum OwnTracksView {
    /// Returns the two characters shown on the pin.
    static func initials(of user: Name) -> String { String(user.text.suffix(2)) }

    public static func location(of member: Name, _ fix: Fix, state: String, warnings: [String])
        -> [UInt8]
    {
        JSONWriter.object { json in
            json.key("_type")
            json.string("location")
            json.key("tid")
            json.string(initials(of: member))
            json.key("lat")
            json.degrees(e7: fix.coordinate.latitudeE7)
            json.key("lon")
            json.degrees(e7: fix.coordinate.longitudeE7)
            json.key("tst")
            json.number(fix.takenAt.milliseconds / 1000)
            json.whole("acc", fix.accuracy)
            json.whole("vel", fix.speed.map { $0 * 3.6 })
            json.whole("cog", fix.heading)
            json.whole("alt", fix.altitude)
            json.whole("batt", fix.battery)
            json.key("state")
            json.string(state)
            json.key("warnings")
            json.array(warnings) { $0.string($1) }
        }
    }

    /// Returns the name shown under the pin, with the state if it matters.
    public static func card(of member: Name, name: String, state: String, warnings: [String])
        -> [UInt8]
    {
        let marks = (state == "sos" ? ["SOS"] : []) + warnings
        return JSONWriter.object { json in
            json.key("_type")
            json.string("card")
            json.key("name")
            json.string(([name] + marks).joined(separator: " · "))
            json.key("tid")
            json.string(initials(of: member))
        }
    }

    /// Returns the apps' own message about a person who has arrived at a place or left it. The
    /// place's position stands for theirs.
    public static func transition(
        of member: Name, _ crossing: GeofencePresence.Crossing, at place: OwnPlace,
        _ time: Timestamp
    ) -> [UInt8] {
        JSONWriter.object { json in
            json.member("_type", "transition")
            json.member("event", crossing == .arrived ? "enter" : "leave")
            json.member("desc", place.name)
            json.member("tid", initials(of: member))
            json.member("tst", Int(time.milliseconds / 1000))
            json.member("wtst", Int(time.milliseconds / 1000))
            json.key("lat")
            json.degrees(e7: place.circle.centre.latitudeE7)
            json.key("lon")
            json.degrees(e7: place.circle.centre.longitudeE7)
            json.member("acc", Int(clamping: place.circle.radius))
            json.member("t", "c")
        }
    }

    /// Returns an alert as the only kind of message for which both apps show a notification: a
    /// person "enters" a region whose name is the sentence.
    ///
    /// - Parameter text: in the language of the app's user.
    /// - Returns: nil without a position: the apps require one, and one of them would show 0/0.
    public static func transition(of member: Name, _ alert: AlertMessage, _ text: String)
        -> [UInt8]?
    {
        let mark = alert.alert.kind == .sos ? "SOS: " : ""
        return alert.alert.fix.map { told(mark + text, of: member, $0, alert.alert.at) }
    }

    /// Returns a text about a member, at an arbitrary position.
    public static func told(_ text: String, of member: Name, _ fix: Fix, _ at: Timestamp) -> [UInt8]
    {
        JSONWriter.object { json in
            json.key("_type")
            json.string("transition")
            json.key("event")
            json.string("enter")
            json.key("desc")
            json.string(text)
            json.key("tid")
            json.string(initials(of: member))
            json.key("tst")
            json.number(at.milliseconds / 1000)
            json.key("wtst")
            json.number(at.milliseconds / 1000)
            json.key("lat")
            json.degrees(e7: fix.coordinate.latitudeE7)
            json.key("lon")
            json.degrees(e7: fix.coordinate.longitudeE7)
            json.key("acc")
            json.number(Int64(clamping: (fix.accuracy ?? 0).rounded()))
            json.key("t")
            json.string("c")
        }
    }
}

extension JSONWriter {
    fileprivate mutating func whole(_ key: StaticString, _ value: Double?) {
        guard let value else { return }
        self.key(key)
        number(Int64(clamping: value.rounded()))
    }
}
