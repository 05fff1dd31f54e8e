public import Contract
public import JSON
public import Tracking

extension Phone {
    /// A request that a phone makes on its way (contract, section 4).
    public struct Action: Sendable {
        /// The time since the phone's start, on the track's clock.
        public var at: Duration
        public var method: String
        /// Writes the members of the request's object, except `id`; receives the time of sending.
        public var members: @Sendable (_ json: inout JSONWriter, _ now: Timestamp) -> Void

        public init(
            at: Duration, method: String,
            members: @escaping @Sendable (_ json: inout JSONWriter, _ now: Timestamp) -> Void = {
                (_, _) in
            }
        ) {
            self.at = at
            self.method = method
            self.members = members
        }

        public static func startSharing(
            with groups: GroupSelection, at: Duration = .zero
        ) -> Action {
            Action(at: at, method: "sharing.start") { json, _ in json.groups(groups) }
        }

        /// - Parameter limit: the time from the request to the ETA, in real time.
        public static func startJourney(
            to destination: Coordinate, named name: String? = nil, within limit: Duration,
            with groups: GroupSelection = .all, at: Duration = .zero
        ) -> Action {
            Action(at: at, method: "journey.start") { json, now in
                json.groups(groups)
                json.key("destination")
                json.object { json in
                    json.key("latitude")
                    json.degrees(e7: destination.latitudeE7)
                    json.key("longitude")
                    json.degrees(e7: destination.longitudeE7)
                    guard let name else { return }
                    json.key("name")
                    json.string(name)
                }
                json.key("eta")
                json.time(now + limit)
            }
        }

        public static func stopJourney(at: Duration) -> Action {
            Action(at: at, method: "journey.stop")
        }

        public static func triggerSOS(at: Duration) -> Action {
            Action(at: at, method: "sos.trigger")
        }
        public static func stopSOS(at: Duration) -> Action { Action(at: at, method: "sos.stop") }

        public static func say(_ text: String, to group: GroupKey, at: Duration) -> Action {
            Action(at: at, method: "chat.send") { json, _ in
                json.key("group")
                json.string(group.text)
                json.key("text")
                json.string(text)
            }
        }

        /// Returns the whole payload.
        func payload(id: String, now: Timestamp) -> [UInt8] {
            JSONWriter.object { json in
                json.key("id")
                json.string(id)
                members(&json, now)
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func groups(_ groups: GroupSelection) {
        key("groups")
        switch groups {
        case .all: string("all")
        case .some(let keys): array(keys) { $0.string($1.text) }
        }
    }
}
