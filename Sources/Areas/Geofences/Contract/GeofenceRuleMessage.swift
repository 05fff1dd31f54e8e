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

    public static let payload = Payload<GeofenceRuleMessage>(
        "GeofenceRule",
        .members(of: GeofenceRule.payload) { $0.rule },
        .init("geofence", .object(OwnPlace.payload)) { ($0.place, nil) },
        .init("madeBy", .name) { $0.maker?.user },
        .init("madeByName", .text) { $0.maker?.name },
        .members(of: party) { $0.watched },
        .init("tell", .object(party)) { $0.told },
        .flag("confirm") { $0.isToConfirm },
        .init(
            "consents",
            .list(
                of: .object(
                    .init("user", .name) { $0.user },
                    .init("agree", .boolean) { $0.agrees }))
        ) { $0.consents })

    public static let result = Payload<GeofenceRuleMessage>(
        .init("rule", .object(payload)) { $0 })

    public static let list = Payload.page("rules", of: payload)

    private static let party = Payload<Party?>(
        .init("user", .name) { if case .user(let user) = $0 { user } else { nil } },
        .init("group", .group) { if case .group(let group) = $0 { group } else { nil } })
}
