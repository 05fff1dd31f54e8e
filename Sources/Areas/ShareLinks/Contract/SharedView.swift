internal import JSON
public import Tracking

/// Everything that a link's holder sees of the person, retained on the link's topic.
public struct SharedView: Sendable {
    public var name: String
    public var what: SharedThing
    public var until: Timestamp
    /// Nil if it is unknown or currently hidden.
    public var fix: Fix?
    /// The journey of a journey's link, while it is in progress.
    public var journey: Journey?
    /// The end of the journey.
    public var end: End?

    /// The end of a journey.
    public enum End: String, Hashable, Sendable, CaseIterable {
        case arrived
        /// In any other way, which the link does not reveal.
        case over
    }

    public init(
        name: String, what: SharedThing, until: Timestamp, fix: Fix?, journey: Journey? = nil,
        end: End? = nil
    ) {
        (self.name, self.what, self.until) = (name, what, until)
        (self.fix, self.journey, self.end) = (fix, journey, end)
    }

    /// `{name,what,until,fix?,journey?,ended?}`; the fix has only position and time.
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
