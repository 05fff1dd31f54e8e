public import Tracking

extension Command {
    /// - Throws: `unknown-method`, or `invalid` with every field that cannot be accepted.
    public init(
        method: String, _ request: Request, at now: Timestamp, _ limits: FixLimits
    ) throws(Problem) {
        var fields = request.fields
        let command: Command?
        switch method {
        case "group.create": command = fields.displayName("name").map { .createGroup(name: $0) }
        case "group.rename": command = Command.renameGroup(&fields)
        case "group.add": command = Command.addMember(&fields)
        case "group.remove": command = Command.removeMember(&fields)
        case "group.leave": command = fields.group().map { .leaveGroup($0) }
        case "group.list": command = .listGroups
        case "sharing.start": command = fields.groups().map { .startSharing($0) }
        case "sharing.stop": command = fields.groups().map { .stopSharing($0) }
        case "members.get":
            let cursor = fields["cursor"] == nil ? nil : fields.name("cursor")
            command = fields.group().map { .members($0, after: cursor) }
        case "journey.start": command = Command.startJourney(&fields, at: now)
        case "journey.stop": command = .stopJourney
        case "sos.trigger": command = Command.triggerSOS(fields, at: now, limits)
        case "sos.stop": command = .stopSOS
        case "path.get": command = Command.path(&fields)
        case "alert.list": command = Command.listAlerts(&fields)
        case "alert.acknowledge": command = fields.uuid("alert").map { .acknowledgeAlert($0) }
        case "chat.send": command = Command.sendChat(&fields)
        case "chat.history": command = Command.chatHistory(&fields)
        case "account.get": command = .account
        case "account.update": command = Command.updateAccount(&fields)
        case "account.password": command = Command.changePassword(&fields)
        case "account.delete": command = fields.password("password").map { .deleteAccount($0) }
        case "account.export": command = Command.exportAccount(&fields)
        case "account.logout": command = .logOut
        case "device.list": command = .listDevices
        case "device.revoke": command = fields.name("device").map { .revokeDevice($0) }
        case _ where FriendCommand.methods.contains(method):
            command = FriendCommand(method, &fields, at: now, limits).map { .friends($0) }
        case _ where GuestCommand.methods.contains(method):
            throw Problem(.notAllowed, "You are logged in already.")
        default: throw Problem(.unknownMethod, "This service has no method of that name.")
        }
        try fields.check()
        guard let command else { preconditionFailure("a missing field was refused") }
        self = command
    }

    /// Whether users can ask for it, be the rest of the request as it may.
    static func isMethod(_ method: String) -> Bool {
        do {
            let request = try Request([])
            _ = try Command(
                method: method, request, at: Timestamp(milliseconds: 0), FixLimits())
            return true
        } catch {
            return error.kind == .invalid
        }
    }

    private static func renameGroup(_ fields: inout Fields) -> Command? {
        let (group, name) = (fields.group(), fields.displayName("name"))
        guard let group, let name else { return nil }
        return .renameGroup(group, name: name)
    }

    private static func addMember(_ fields: inout Fields) -> Command? {
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

    private static func removeMember(_ fields: inout Fields) -> Command? {
        let (group, user) = (fields.group(), fields.name("user"))
        guard let group, let user else { return nil }
        return .removeMember(group, user)
    }

    private static func startJourney(_ fields: inout Fields, at now: Timestamp) -> Command? {
        let eta = fields.time("eta")
        if let eta, eta <= now { fields.refuse("eta", "must lie in the future") }
        if let eta, eta > now + maximumJourney { fields.refuse("eta", "is too far away") }
        if fields.bool(ifPresent: "extend") == true { return eta.map { .extendJourney(eta: $0) } }
        let groups = fields.groups()
        let destination = fields.nested("destination") { fields in fields.destination() }
        guard let groups, let destination, let eta else { return nil }
        return .startJourney(groups, destination, eta: eta)
    }

    private static func triggerSOS(
        _ fields: Fields, at now: Timestamp, _ limits: FixLimits
    ) -> Command {
        guard let value = fields["fix"] else { return .triggerSOS(nil, refused: nil) }
        do {
            let fix = try Fix(
                value, receivedAt: now, prefix: "fix.", usualTime: now, limits)
            return .triggerSOS(fix, refused: nil)
        } catch {
            return .triggerSOS(nil, refused: error)
        }
    }

    private static func path(_ fields: inout Fields) -> Command? {
        let (group, user) = (fields.group(), fields.name("user"))
        let format = fields.string(ifPresent: "format") ?? "geojson"
        // Cursors have been counts of points: 0 is still the beginning.
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

    private static func listAlerts(_ fields: inout Fields) -> Command? {
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
