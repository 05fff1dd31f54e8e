internal import JSON
internal import Tracking

/// A rule as the people concerned see it.
public struct GeofenceRuleMessage: Sendable {
    public let rule: GeofenceRule
    public let place: OwnPlace
    /// Its maker, with the name that others see.
    public let maker: (user: Name, name: String)?
    public let watched: Party?
    public let told: Party?
    /// The answers that the reader may see; nil if not answered yet.
    public let consents: [(user: Name, agrees: Bool?)]
    /// Whether the reader made it and others have changed the place: it reports no arrivals until
    /// they confirm.
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
