public import Contract
internal import JSON
public import Tracking

/// A command from the operator's command line to the bridge.
public enum OperatorCommand: Sendable {
    case addUser(Name, displayName: String, email: String?, ownTracksPublishIsSOS: Bool)
    /// Part of an import.
    case importUsers([NewUser])
    /// Sets a new display name.
    case renameUser(Name, DisplayName)
    /// Logs one device out, or all except those that groups rely on now.
    case revokeDevices(Name, device: Name?)
    /// Locks the user out, or unlocks them.
    case disableUser(Name)
    case enableUser(Name)
    case removeUser(Name)
    case listUsers(Page)
    /// - `hash`: of the token's secret.
    case setToken(user: Name, device: Name, hash: [UInt8], speaksOwnTracks: Bool)
    case setPassword(user: Name, PasswordHash)
    /// - `hash`: of the link with which the user sets a password.
    case inviteUser(Name, hash: [UInt8])
    /// Marks the account's address as confirmed.
    case confirmAddress(Name)
    case removeSecondFactor(Name)
    /// Created with all of these members, each listed once, or not at all.
    case createGroup(DisplayName, members: [Name])
    case addMember(GroupKey, Name)
    case removeMember(GroupKey, Name)
    case listGroups(Page)
    case endObserver(UUIDv7)
    case announceMaintenance(from: Timestamp, to: Timestamp, MaintenanceText)
    /// Nil leaves a value unchanged.
    case moveMaintenance(UUIDv7, from: Timestamp?, to: Timestamp?, MaintenanceText?)
    case cancelMaintenance(UUIDv7)
    case listMaintenances
    /// Part of an import.
    case importPlaces([Place])
    case removePlaces([Name])
    /// - `area`: its name; nil for all.
    case drill(area: String?)

    /// Part of a list, ordered by name or id.
    public struct Page: Sendable {
        /// The last entry of the previous part; nil for the first part.
        public var after: String?
        /// The prefix of the names.
        public var prefix = ""
        public var limit = 50

        public static let most = 100

        public init() {}
    }

    /// A row of an import.
    public struct NewUser: Sendable {
        public var name: Name
        public var displayName: DisplayName
        public var email: EmailAddress?
        public var group: GroupKey?
        /// The hash of the link with which the user sets a password.
        public var link: [UInt8]?

        public init(
            _ name: Name, _ displayName: DisplayName, email: EmailAddress? = nil,
            group: GroupKey? = nil, link: [UInt8]? = nil
        ) {
            (self.name, self.displayName, self.email) = (name, displayName, email)
            (self.group, self.link) = (group, link)
        }
    }

    public static func createGroup(_ name: DisplayName, firstMember: Name) -> OperatorCommand {
        .createGroup(name, members: [firstMember])
    }

    /// The command as stored while it waits.
    public var json: String {
        let bytes = JSONWriter.object { json in
            func text(_ key: StaticString, _ value: String?) {
                guard let value else { return }
                json.key(key)
                json.string(value)
            }
            switch self {
            case .addUser(let user, let displayName, let email, let isSOS):
                text("command", "user.add")
                text("user", user.text)
                text("name", displayName)
                text("email", email)
                json.key("publishIsSOS")
                json.bool(isSOS)
            case .importUsers(let users):
                text("command", "user.import")
                json.key("users")
                json.array(users) { json, user in json.object { $0.newUser(user) } }
            case .renameUser(let user, let name):
                text("command", "user.rename")
                text("user", user.text)
                text("name", name.text)
            case .revokeDevices(let user, let device):
                text("command", "user.revoke")
                text("user", user.text)
                text("device", device?.text)
            case .disableUser(let user):
                text("command", "user.disable")
                text("user", user.text)
            case .enableUser(let user):
                text("command", "user.enable")
                text("user", user.text)
            case .removeUser(let user):
                text("command", "user.remove")
                text("user", user.text)
            case .listUsers(let page):
                text("command", "user.list")
                json.page(page)
            case .setToken(let user, let device, let hash, let speaksOwnTracks):
                text("command", "user.token")
                text("user", user.text)
                text("device", device.text)
                text("hash", Hexadecimal.text(hash))
                json.key("ownTracks")
                json.bool(speaksOwnTracks)
            case .setPassword(let user, let hash):
                text("command", "user.password")
                text("user", user.text)
                text("hash", hash.text)
            case .inviteUser(let user, let hash):
                text("command", "user.invite")
                text("user", user.text)
                text("hash", Hexadecimal.text(hash))
            case .confirmAddress(let user):
                text("command", "user.confirm")
                text("user", user.text)
            case .removeSecondFactor(let user):
                text("command", "user.totp")
                text("user", user.text)
            case .createGroup(let name, let members):
                text("command", "group.create")
                text("name", name.text)
                json.key("members")
                json.array(members) { $0.string($1.text) }
            case .addMember(let group, let user):
                text("command", "group.add")
                text("group", group.text)
                text("user", user.text)
            case .removeMember(let group, let user):
                text("command", "group.remove")
                text("group", group.text)
                text("user", user.text)
            case .listGroups(let page):
                text("command", "group.list")
                json.page(page)
            case .endObserver(let observer):
                text("command", "observer.end")
                text("observer", observer.description)
            case .announceMaintenance(let from, let to, let words):
                text("command", "maintenance.announce")
                text("from", from.rfc3339)
                text("to", to.rfc3339)
                text("text", words.text)
            case .moveMaintenance(let id, let from, let to, let words):
                text("command", "maintenance.move")
                text("maintenance", id.description)
                if let from { text("from", from.rfc3339) }
                if let to { text("to", to.rfc3339) }
                if let words { text("text", words.text) }
            case .cancelMaintenance(let id):
                text("command", "maintenance.cancel")
                text("maintenance", id.description)
            case .listMaintenances: text("command", "maintenance.list")
            case .importPlaces(let places):
                text("command", "place.import")
                json.key("places")
                json.array(places) { json, place in
                    json.object { json in
                        json.place(place)
                        json.key("source")
                        json.string(place.source.text)
                    }
                }
            case .removePlaces(let ids):
                text("command", "place.remove")
                json.key("places")
                json.array(ids) { $0.string($1.text) }
            case .drill(let area):
                text("command", "emergency.drill")
                json.key("area")
                if let area { json.string(area) } else { json.null() }
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Throws: the errors by field.
    init(json: String) throws(Problem) {
        let value: JSONValue
        do { value = try JSONValue.parse(Array(json.utf8)) } catch { throw Problem(error) }
        var fields = try Fields(value)
        try self.init(fields.string("command") ?? "", &fields)
    }

    /// - Throws: the errors by field.
    init(_ method: String, _ fields: inout Fields) throws(Problem) {
        let command: OperatorCommand?
        switch method {
        case "user.add":
            let (user, name) = (fields.name("user"), fields.displayName("name"))
            let email = fields["email"] == nil ? nil : fields.email("email")?.text
            let isSOS = fields.bool(ifPresent: "publishIsSOS") ?? false
            command = user.flatMap { user in
                name.map {
                    .addUser(
                        user, displayName: $0.text, email: email, ownTracksPublishIsSOS: isSOS)
                }
            }
        case "user.import":
            command = OperatorCommand.list("users", &fields) { value throws(Problem) in
                var fields = try Fields(value)
                let user = OperatorCommand.newUser(&fields)
                try fields.check()
                return user
            }.map { .importUsers($0) }
        case "user.rename":
            let (user, name) = (fields.name("user"), fields.displayName("name"))
            command = user.flatMap { user in name.map { .renameUser(user, $0) } }
        case "user.revoke":
            let user = fields.name("user")
            let device = fields["device"] == nil ? nil : fields.name("device")
            command = user.map { .revokeDevices($0, device: device) }
        case "user.disable": command = fields.name("user").map { .disableUser($0) }
        case "user.enable": command = fields.name("user").map { .enableUser($0) }
        case "user.remove": command = fields.name("user").map { .removeUser($0) }
        case "user.list": command = .listUsers(OperatorCommand.page(&fields))
        case "user.token":
            let (user, device) = (fields.name("user"), fields.name("device"))
            let hash = OperatorCommand.hash(&fields)
            let ownTracks = fields.bool(ifPresent: "ownTracks") ?? false
            command = user.flatMap { user in
                device.map {
                    .setToken(user: user, device: $0, hash: hash, speaksOwnTracks: ownTracks)
                }
            }
        case "user.password":
            let user = fields.name("user")
            let hash = fields.string("hash").flatMap { PasswordHash($0) }
            if hash == nil { fields.refuse("hash", "must be a password hash") }
            command = user.flatMap { user in hash.map { .setPassword(user: user, $0) } }
        case "user.invite":
            let (user, hash) = (fields.name("user"), OperatorCommand.hash(&fields))
            command = user.map { .inviteUser($0, hash: hash) }
        case "user.confirm": command = fields.name("user").map { .confirmAddress($0) }
        case "user.totp": command = fields.name("user").map { .removeSecondFactor($0) }
        case "group.create":
            let (name, members) = (fields.displayName("name"), OperatorCommand.members(&fields))
            command = name.flatMap { name in members.map { .createGroup(name, members: $0) } }
        case "group.add":
            let (group, user) = (fields.group(), fields.name("user"))
            command = group.flatMap { group in user.map { .addMember(group, $0) } }
        case "group.remove":
            let (group, user) = (fields.group(), fields.name("user"))
            command = group.flatMap { group in user.map { .removeMember(group, $0) } }
        case "group.list": command = .listGroups(OperatorCommand.page(&fields))
        case "observer.end":
            let id = OperatorCommand.id("observer", &fields)
            command = id.map { .endObserver($0) }
        case "maintenance.announce":
            let (from, to) = (fields.time("from"), fields.time("to"))
            let words = fields.maintenanceText("text")
            command = from.flatMap { from in
                to.flatMap { to in
                    words.map { .announceMaintenance(from: from, to: to, $0) }
                }
            }
        case "maintenance.move":
            let id = OperatorCommand.id("maintenance", &fields)
            let from = fields["from"] == nil ? nil : fields.time("from")
            let to = fields["to"] == nil ? nil : fields.time("to")
            let words = fields["text"] == nil ? nil : fields.maintenanceText("text")
            command = id.map { .moveMaintenance($0, from: from, to: to, words) }
        case "maintenance.cancel":
            let id = OperatorCommand.id("maintenance", &fields)
            command = id.map { .cancelMaintenance($0) }
        case "maintenance.list": command = .listMaintenances
        case "place.import":
            command = OperatorCommand.list("places", &fields) { value throws(Problem) in
                var fields = try Fields(value)
                let place = fields.place()
                try fields.check()
                return place
            }.map { .importPlaces($0) }
        case "place.remove":
            command = OperatorCommand.list("places", &fields) { value in
                if case .string(let text) = value { Name(text) } else { nil }
            }.map { .removePlaces($0) }
        case "emergency.drill":
            command =
                fields.isNull("area")
                ? .drill(area: nil) : fields.string("area").map { .drill(area: $0) }
        default: throw Problem(.unknownMethod, "There is no such operator command.")
        }
        try fields.check()
        guard let command else { preconditionFailure("a missing field was refused") }
        self = command
    }

    private static func page(_ fields: inout Fields) -> Page {
        var page = Page()
        if fields["after"] != nil { page.after = fields.string("after") }
        if fields["prefix"] != nil { page.prefix = fields.string("prefix") ?? "" }
        if let limit = fields.integer(ifPresent: "limit", in: 1...Int64(Page.most)) {
            page.limit = Int(limit)
        }
        return page
    }

    private static func newUser(_ fields: inout Fields) -> NewUser? {
        let (user, name) = (fields.name("user"), fields.displayName("name"))
        let email = fields["email"] == nil ? nil : fields.email("email")
        let group = fields["group"] == nil ? nil : fields.group()
        let link = fields["hash"] == nil ? nil : hash(&fields)
        return user.flatMap { user in
            name.map { NewUser(user, $0, email: email, group: group, link: link) }
        }
    }

    private static func id(_ field: String, _ fields: inout Fields) -> UUIDv7? {
        let id = fields.string(field).flatMap { UUIDv7($0) }
        if id == nil { fields.refuse(field, "must be an id") }
        return id
    }

    private static func list<Element>(
        _ field: String, _ fields: inout Fields, _ read: (JSONValue) throws(Problem) -> Element?
    ) -> [Element]? {
        guard case .array(let values)? = fields[field] else {
            fields.refuse(field, "must be an array")
            return nil
        }
        do throws(Problem) {
            var elements: [Element] = []
            for value in values {
                guard let element = try read(value) else {
                    fields.refuse(field, "has an invalid element")
                    return nil
                }
                elements.append(element)
            }
            return elements
        } catch {
            for error in error.errors { fields.refuse("\(field).\(error.field)", error.reason) }
            return nil
        }
    }

    /// Parses the members, without duplicates.
    private static func members(_ fields: inout Fields) -> [Name]? {
        let names = list("members", &fields) { value in
            if case .string(let text) = value { Name(text) } else { nil }
        }
        guard let names else { return nil }
        guard !names.isEmpty else {
            fields.refuse("members", "must not be empty")
            return nil
        }
        var seen: Set<Name> = []
        return names.filter { seen.insert($0).inserted }
    }

    private static func hash(_ fields: inout Fields) -> [UInt8] {
        let hash = fields.string("hash").flatMap { Hexadecimal.bytes($0) } ?? []
        if hash.count != 32 { fields.refuse("hash", "must be 64 hexadecimal digits") }
        return hash
    }
}

enum Hexadecimal {
    static func text(_ bytes: [UInt8]) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }

    /// Decodes hexadecimal text; nil for anything but pairs of digits.
    static func bytes(_ text: String) -> [UInt8]? {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        return bytes
    }
}

extension JSONWriter {
    fileprivate mutating func page(_ page: OperatorCommand.Page) {
        if let after = page.after {
            key("after")
            string(after)
        }
        key("prefix")
        string(page.prefix)
        key("limit")
        number(page.limit)
    }

    fileprivate mutating func newUser(_ user: OperatorCommand.NewUser) {
        key("user")
        string(user.name.text)
        key("name")
        string(user.displayName.text)
        if let email = user.email {
            key("email")
            string(email.text)
        }
        if let group = user.group {
            key("group")
            string(group.text)
        }
        if let link = user.link {
            key("hash")
            string(Hexadecimal.text(link))
        }
    }
}
