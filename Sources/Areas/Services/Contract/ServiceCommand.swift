internal import JSON
public import Tracking

/// What companies, people and services may ask for about services and the data they receive.
public enum ServiceCommand: AreaCommand {
    // A company.
    case create(NewService)
    case list
    case newToken(Name)
    case delete(Name)

    // A person.
    /// - `after`: what `next` of the page before was.
    case discover(after: Int64?)
    case add(Name)
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
    case subscribe(Name)
    case unsubscribe(Name)

    public struct NewService: Sendable {
        public let name: Name
        /// As people read it.
        public let title: DisplayName
        public let description: String
        public let data: SharedData
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
    /// In characters.
    public static let longestText = 500

    static func create(_ fields: inout Fields) -> ServiceCommand? {
        let (name, title) = (fields.name("service"), fields.displayName("name"))
        let description = fields.text("description", atMost: longestText)
        let data = fields.sharedData(ifPresent: "data")
        guard let name, let title, let description, let data else { return nil }
        return .create(
            NewService(name: name, title: title, description: description, data: data))
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
        let reason = fields.text("reason", atMost: longestText)
        let asked: Asked?
        if fields["ssn"] != nil, fields["user"] == nil {
            asked = fields.ssn("ssn").map { .ssn($0) }
        } else {
            asked = fields.name("user").map { .user($0) }
        }
        guard let asked, let reason else { return nil }
        return .request(asked, reason: reason)
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
        let company = fields.displayName("company")
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
