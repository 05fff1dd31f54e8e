internal import JSON
internal import Tracking

/// A rule as those see it whom it concerns.
public struct GeofenceRuleMessage: Sendable {
    public let rule: GeofenceRule
    public let place: OwnPlace
    /// Who made it, as others call them.
    public let maker: (user: Name, name: String)?
    public let watched: Party?
    public let told: Party?
    /// What those have answered whom the reader may know of; nil: nothing yet.
    public let consents: [(user: Name, agrees: Bool?)]
    /// Whether the reader made it and others have changed the place: it says nothing of arrivals until
    /// they agree.
    public let isToConfirm: Bool

    public enum Party: Hashable, Sendable {
        case user(Name)
        case group(GroupKey)
    }

    public init(
        _ rule: GeofenceRule, at place: OwnPlace, by maker: (user: Name, name: String)?,
        watched: Party?, told: Party?, consents: [(user: Name, agrees: Bool?)],
        isToConfirm: Bool = false
    ) {
        (self.rule, self.place, self.maker) = (rule, place, maker)
        (self.watched, self.told, self.consents) = (watched, told, consents)
        self.isToConfirm = isToConfirm
    }

    /// An object.
    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.geofenceRule(rule)
            json.key("geofence")
            json.object { $0.ownPlace(place) }
            json.member("madeBy", maker?.user.text)
            json.member("madeByName", maker?.name)
            if let watched { json.party(watched) }
            json.key("tell")
            json.object { json in
                if let told { json.party(told) }
            }
            json.flag("confirm", isToConfirm)
            json.key("consents")
            json.array(consents) { json, consent in
                json.object { json in
                    json.member("user", consent.user.text)
                    guard let agrees = consent.agrees else { return }
                    json.key("agree")
                    json.bool(agrees)
                }
            }
        }
    }
}

extension JSONWriter {
    fileprivate mutating func party(_ party: GeofenceRuleMessage.Party) {
        switch party {
        case .user(let user): member("user", user.text)
        case .group(let group): member("group", group.text)
        }
    }
}
