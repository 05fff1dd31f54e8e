internal import JSON
public import Tracking

/// What companies, people and services may ask for about services and the data they receive.
public enum ServiceCommand: AreaCommand {
    // A company.
    case create(NewService)
    case list
    case newToken(Name)
    /// - nil: it has no page.
    case setAddress(Name, ServiceAddress?)
    case delete(Name)

    // A person.
    /// - `after`: what `next` of the page before was.
    case discover(after: Int64?)
    /// - `streams`: whether samples may be published as they come as well; nil: as it is.
    case add(Name, streams: Bool?)
    case remove(Name)
    case consents
    case answer(UUIDv7, isAllowed: Bool)
    /// - `before`: the oldest entry of the page before.
    case log(before: Int64?, limit: Int)

    // A service.
    case request(Asked, reason: String)
    /// - `after`: as in ``discover(after:)``.
    case users(after: Int64?)
    case read(Reading)
    /// - `reason`: nil: as the service describes itself.
    case subscribe(Name, reason: String?)
    case unsubscribe(Name)

    public struct NewService: Sendable {
        public let name: Name
        /// As people read it.
        public let title: DisplayName
        public let description: String
        public let data: SharedData
        public let address: ServiceAddress?
    }

    /// Of whom a service wants data.
    public enum Asked: Sendable {
        case user(Name)
        /// Whoever has said that the number is theirs.
        case ssn(String)
    }

    /// A page of somebody's samples.
    public struct Reading: Sendable {
        public let user: Name
        /// What `next` was; nil for the newest.
        public let before: String?
        public let limit: Int

        public static let longest = 500
        public static let usual = 100
    }

    public static let longestLog = 100
    public static let usualLog = 50
    /// Why a service asks, and what it says of itself, in characters.
    public static let longestReason = 200
    public static let longestDescription = 300

    static func create(_ fields: inout Fields) -> ServiceCommand? {
        let (name, title) = (fields.name("service"), fields.plainName("name"))
        let description = fields.plainText("description", atMost: longestDescription)
        let data = fields.sharedData(ifPresent: "data")
        let address = fields["address"] == nil ? nil : fields.serviceAddress("address")
        guard let name, let title, let description, let data else { return nil }
        return .create(
            NewService(
                name: name, title: title, description: description, data: data, address: address))
    }

    static func setAddress(_ fields: inout Fields) -> ServiceCommand? {
        let name = fields.name("service")
        let address = fields.isNull("address") ? nil : fields.serviceAddress("address")
        return name.map { .setAddress($0, address) }
    }

    static func add(_ fields: inout Fields) -> ServiceCommand? {
        let (name, streams) = (fields.name("service"), fields.bool(ifPresent: "stream"))
        return name.map { .add($0, streams: streams) }
    }

    static func discover(_ fields: inout Fields) -> ServiceCommand? {
        .discover(after: fields.integer(ifPresent: "after", in: 1...Int64.max))
    }

    static func users(_ fields: inout Fields) -> ServiceCommand? {
        .users(after: fields.integer(ifPresent: "after", in: 1...Int64.max))
    }

    static func answer(_ fields: inout Fields) -> ServiceCommand? {
        let (id, isAllowed) = (fields.uuid("request"), fields.bool(ifPresent: "allow"))
        if fields["allow"] == nil { fields.refuse("allow", "is missing") }
        guard let id, let isAllowed else { return nil }
        return .answer(id, isAllowed: isAllowed)
    }

    static func log(_ fields: inout Fields) -> ServiceCommand? {
        let before = fields.integer(ifPresent: "before", in: 1...Int64.max)
        let limit = fields.integer(ifPresent: "limit", in: 1...Int64(longestLog))
        return .log(before: before, limit: limit.map { Int($0) } ?? usualLog)
    }

    static func request(_ fields: inout Fields) -> ServiceCommand? {
        let reason = fields.plainText("reason", atMost: longestReason)
        let asked: Asked?
        if fields["ssn"] != nil, fields["user"] == nil {
            asked = fields.ssn("ssn").map { .ssn($0) }
        } else {
            asked = fields.name("user").map { .user($0) }
        }
        guard let asked, let reason else { return nil }
        return .request(asked, reason: reason)
    }

    static func subscribe(_ fields: inout Fields) -> ServiceCommand? {
        let user = fields.name("user")
        let reason =
            fields["reason"] == nil ? nil : fields.plainText("reason", atMost: longestReason)
        return user.map { .subscribe($0, reason: reason) }
    }

    static func read(_ fields: inout Fields) -> ServiceCommand? {
        let user = fields.name("user")
        let limit = fields.integer(ifPresent: "last", in: 1...Int64(Reading.longest))
        let place = fields.string(ifPresent: "cursor")
        guard let user else { return nil }
        let count = limit.map { Int($0) } ?? Reading.usual
        return .read(Reading(user: user, before: place, limit: count))
    }
}

extension GuestCommand {
    /// A company's account; its name for topics follows from the company's unless it gives one.
    static func registerCompany(_ fields: inout Fields) -> GuestCommand? {
        let company = fields.plainName("company")
        let user: Name?
        if fields["username"] != nil {
            user = fields.name("username")
        } else {
            user = company.flatMap { name(of: $0) }
            if company != nil, user == nil {
                fields.refuse("username", "is needed, as none follows from the company's name")
            }
        }
        let email = fields.email("email")
        let password = fields.newPassword("password", of: user)
        if fields["acceptTerms"] != .bool(true) { fields.refuse("acceptTerms", "must be true") }
        let visitor = visitor(&fields)
        guard let company, let user, let email, let password else { return nil }
        return .register(
            Registration(
                user: user, email: email, password: password, owner: .company(company),
                invitation: nil, visitor: visitor))
    }

    private static func name(of company: DisplayName) -> Name? {
        let words = company.text.lowercased().split {
            !($0.isASCII && ($0.isLetter || $0.isNumber))
        }
        return Name(words.joined(separator: "-").prefix(Name.maximumLength))
    }
}

extension Fields {
    /// Everything if it is missing.
    fileprivate mutating func sharedData(ifPresent field: String) -> SharedData? {
        guard let value = self[field] else { return .all }
        let names = value.elements.compactMap(\.text)
        if names.count == value.elements.count, let data = SharedData(names: names) { return data }
        refuse(field, "must be an array of positions and vitals")
        return nil
    }
}
