internal import JSON
public import Tracking

/// What whoever has a link sees, and nothing else of the person: retained on the link's topic.
public struct SharedView: Sendable {
    public var name: String
    public var what: SharedThing
    public var until: Timestamp
    /// Nil if it is not known, or is shown to nobody at the moment.
    public var fix: Fix?
    /// The journey of a journey's link, while it goes on.
    public var journey: Journey?
    /// How that ended.
    public var end: End?

    /// How a journey ended.
    public enum End: String, Hashable, Sendable, CaseIterable {
        case arrived
        /// In any other way; the link does not show in which.
        case over
    }

    public init(
        name: String, what: SharedThing, until: Timestamp, fix: Fix?, journey: Journey? = nil,
        end: End? = nil
    ) {
        (self.name, self.what, self.until) = (name, what, until)
        (self.fix, self.journey, self.end) = (fix, journey, end)
    }

    /// `{name,what,until,fix?,journey?,ended?}`; of the fix no more than where and when.
    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.member("name", name)
            json.member("what", what.rawValue)
            json.member("until", until)
            if let fix {
                json.key("fix")
                json.place(of: fix)
            }
            if let journey {
                json.key("journey")
                json.plan(of: journey)
            }
            if let end { json.member("ended", end.rawValue) }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func plan(of journey: Journey) {
        object { json in
            if let destination = journey.destination {
                json.key("destination")
                json.object { json in
                    json.coordinate(destination.coordinate)
                    json.member("name", destination.name)
                }
            }
            json.member("eta", journey.eta)
            json.key("late")
            json.bool(journey.isLate)
        }
    }

    fileprivate mutating func place(of fix: Fix) {
        object { json in
            json.coordinate(fix.coordinate)
            json.member("timestamp", fix.takenAt)
            guard let accuracy = fix.accuracy else { return }
            json.key("accuracy")
            json.number(accuracy)
        }
    }
}
