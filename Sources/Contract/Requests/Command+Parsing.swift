public import Tracking

extension Command {
    /// - Throws: `unknown-method`, `not-allowed` for methods of guests, or `invalid` with every
    ///   field that cannot be accepted.
    public init(
        method name: String, _ request: Request, at now: Timestamp, _ limits: FixLimits
    ) throws(Problem) {
        guard let method = Method.named(name) else { throw Method.unknown }
        guard let read = method.user else {
            guard method.askers.contains(.guest) else { throw Method.unknown }
            throw Problem(.notAllowed, "You are logged in already.")
        }
        var fields = request.fields
        let action = read(&fields, Method.Circumstances(now: now, limits: limits))
        try fields.check()
        guard let action else { preconditionFailure("a missing field was refused") }
        self.method = method
        self.action = action
    }

    static func renameGroup(_ fields: inout Fields) -> Action? {
        let (group, name) = (fields.group(), fields.displayName("name"))
        guard let group, let name else { return nil }
        return .renameGroup(group, name: name)
    }

    static func addMember(_ fields: inout Fields) -> Action? {
        let group = fields.group()
        let invitee: Invitee?
        if fields["user"] == nil, fields["email"] != nil {
            invitee = fields.string("email").map { .email($0) }
        } else {
            invitee = fields.name("user").map { .user($0) }
        }
        guard let group, let invitee else { return nil }
        return .addMember(group, invitee)
    }

    static func removeMember(_ fields: inout Fields) -> Action? {
        let (group, user) = (fields.group(), fields.name("user"))
        guard let group, let user else { return nil }
        return .removeMember(group, user)
    }

    static func startJourney(_ fields: inout Fields, at now: Timestamp) -> Action? {
        let eta = fields.time("eta")
        if let eta, eta <= now { fields.refuse("eta", "must lie in the future") }
        if let eta, eta > now + maximumJourney { fields.refuse("eta", "is too far away") }
        if fields.bool(ifPresent: "extend") == true { return eta.map { .extendJourney(eta: $0) } }
        let groups = fields.groups()
        let destination = fields.nested("destination") { fields in fields.destination() }
        guard let groups, let destination, let eta else { return nil }
        return .startJourney(groups, destination, eta: eta)
    }

    static func triggerSOS(
        _ fields: Fields, at now: Timestamp, _ limits: FixLimits
    ) -> Action {
        guard let value = fields["fix"] else { return .triggerSOS(nil, refused: nil) }
        do {
            let fix = try Fix(
                value, receivedAt: now, prefix: "fix.", usualTime: now, limits)
            return .triggerSOS(fix, refused: nil)
        } catch {
            return .triggerSOS(nil, refused: error)
        }
    }

    static func path(_ fields: inout Fields) -> Action? {
        let (group, user) = (fields.group(), fields.name("user"))
        let format = fields.string(ifPresent: "format") ?? "geojson"
        // Cursors used to be counts of points: 0 still means the beginning.
        let text = fields.string(ifPresent: "cursor") ?? "0"
        let known = PathRequest.Format(rawValue: format)
        if known == nil { fields.refuse("format", "must be geojson or gpx") }
        let cursor = PathCursor(text)
        if cursor == nil, text != "0" {
            fields.refuse("cursor", "is not one that this service gave")
        }
        guard let group, let user, let known else { return nil }
        return .path(PathRequest(group: group, user: user, format: known, cursor: cursor))
    }

    static func listAlerts(_ fields: inout Fields) -> Action? {
        let group = fields.group()
        let before = fields["before"] == nil ? nil : fields.uuid("before")
        let limit = fields.integer(ifPresent: "limit", in: alertLimit).map { Int($0) }
        return group.map { .listAlerts($0, before: before, limit: limit ?? usualAlertLimit) }
    }
}

extension Fields {
    mutating func groups() -> Command.GroupSelection? {
        switch self["groups"] {
        case nil:
            refuse("groups", "is missing")
        case .string("all"):
            return .all
        case .array(let elements) where !elements.isEmpty:
            return groups(elements)
        default:
            refuse("groups", "must be \"all\" or a list of group ids")
        }
        return nil
    }

    private mutating func groups(_ elements: [JSONValue]) -> Command.GroupSelection? {
        guard elements.count <= Command.maximumGroups else {
            refuse("groups", "must have at most \(Command.maximumGroups) ids")
            return nil
        }
        var keys: [GroupKey] = []
        for (index, element) in elements.enumerated() {
            guard case .string(let text) = element, let key = GroupKey(text) else {
                refuse("groups[\(index)]", "is not the id of a group")
                return nil
            }
            if !keys.contains(key) { keys.append(key) }
        }
        return .some(keys)
    }

    mutating func destination() -> Destination? {
        let latitude = number("latitude", in: -90...90)
        let longitude = number("longitude", in: -180...180)
        let name = self["name"] == nil ? nil : displayName("name")?.text
        let radius = number(ifPresent: "radius", in: Command.radiusRange)
        guard let latitude, let longitude,
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
        else { return nil }
        return Destination(coordinate: coordinate, name: name, radius: radius)
    }

    mutating func uuid(_ field: String) -> UUIDv7? {
        guard let text = string(field) else { return nil }
        guard let uuid = UUIDv7(text) else {
            refuse(field, "is not a UUID")
            return nil
        }
        return uuid
    }
}
