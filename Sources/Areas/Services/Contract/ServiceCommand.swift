public import Tracking

/// The requests of companies, people and services about services and the data they receive.
public enum ServiceCommand: AreaCommand {
    // A company.
    case create(NewService)
    case list
    case newToken(Name)
    /// - nil: no page.
    case setAddress(Name, ServiceAddress?)
    case delete(Name)

    // A person.
    /// - `after`: `next` of the previous page.
    case discover(after: Int64?)
    /// - `streams`: whether samples may also be published as they arrive; nil to leave that
    ///   unchanged.
    case add(Name, streams: Bool?)
    case remove(Name)
    case consents
    case answer(UUIDv7, isAllowed: Bool)
    /// - `before`: the oldest entry of the previous page.
    case log(before: Int64?, limit: Int)

    // A service.
    case request(Asked, reason: String)
    /// - `after`: as in ``discover(after:)``.
    case users(after: Int64?)
    case read(Reading)
    /// - `reason`: nil for the service's description.
    case subscribe(Name, reason: String?)
    case unsubscribe(Name)

    public struct NewService: Sendable {
        public let name: Name
        /// The name that people see.
        public let title: DisplayName
        public let description: String
        public let data: SharedData
        public let address: ServiceAddress?
    }

    /// The person whose data a service requests.
    public enum Asked: Sendable {
        case user(Name)
        /// Everyone who has entered this number as theirs.
        case ssn(String)
    }

    /// A page of a user's samples.
    public struct Reading: Sendable {
        public let user: Name
        /// `next` of the previous page; nil for the newest.
        public let before: String?
        public let limit: Int

        public static let longest = 500
        public static let usual = 100
    }

    public static let longestLog = 100
    public static let usualLog = 50
    /// The maximum length of a request's reason and of a service's description, in characters.
    public static let longestReason = 200
    public static let longestDescription = 300

    // MARK: Requested values

    static let creation = Form(
        Form("service", .name), Form("name", .plainName),
        Form("description", .plainText(atMost: longestDescription)),
        Form("data", .sharedData, "what it receives about users who agree, default both").or(.all),
        Form("address", .serviceAddress, "where people open it, with https").ifPresent
    ) { name, title, description, data, address in
        ServiceCommand.create(
            NewService(
                name: name, title: title, description: description, data: data, address: address))
    }

    static let addressChange = Form(
        Form("service", .name),
        Form("address", .serviceAddress, "where people open it; `null`: nowhere").nullable
    ) { ServiceCommand.setAddress($0, $1) }

    static let addition = Form(
        Form("service", .name),
        Form(
            "stream", .boolean,
            "whether your data is also published as it arrives; if omitted, as before"
        ).ifPresent
    ) { ServiceCommand.add($0, streams: $1) }

    /// The beginning of a page.
    static let after = Form("after", .number(1...Int64.max)).ifPresent

    static let logPage = Form(
        Form("before", .number(1...Int64.max)).ifPresent,
        Form("limit", .integer(1...longestLog), "default \(usualLog)").or(usualLog)
    ) { ServiceCommand.log(before: $0, limit: $1) }

    private static let reason = Form("reason", .plainText(atMost: longestReason))

    static let asking = Form.either(
        Form(Form("user", .name), reason) { ServiceCommand.request(.user($0), reason: $1) },
        Form(Form("ssn", .ssn), reason) { ServiceCommand.request(.ssn($0), reason: $1) })

    static let sampleQuery = Form(
        Form("user", .name),
        Form("last", .integer(1...Reading.longest), "default \(Reading.usual)").or(Reading.usual),
        Form("cursor", .text).ifPresent
    ) { user, limit, cursor in
        ServiceCommand.read(Reading(user: user, before: cursor, limit: limit))
    }

    static let subscription = Form(Form("user", .name), reason.ifPresent) {
        ServiceCommand.subscribe($0, reason: $1)
    }
}

extension AccountGuestCommand {
    /// A company's account; its topic name is derived from the company's name unless given.
    static let companyRegistration = Form(
        company, Form.isTrue("acceptTerms"), Form.visitor
    ) { company, _, visitor in
        AccountGuestCommand.register(
            Registration(company.credentials, .company(company.name), visitor: visitor))
    }

    private struct Company {
        let name: DisplayName
        let credentials: Credentials
    }

    private static let company = Form(
        names, Form("email", .email), Form("password", .newPassword)
    ) { names, email, password in
        Company(
            name: names.company,
            credentials: Credentials(user: names.user, email: email, password: password))
    }
    .reading { company, fields, _ in
        company.credentials.checked(&fields).map { _ in company }
    }

    private static let names: Form<(company: DisplayName, user: Name)> = Form(
        Form("company", .plainName),
        Form("username", .name, "default: derived from the company's name").ifPresent
    ) { (company: $0, user: $1) }.reading { names, fields, _ in
        guard let user = names.user ?? name(of: names.company) else {
            fields.refuse("username", "is required, as none can be derived from the company's name")
            return nil
        }
        return (names.company, user)
    }

    private static func name(of company: DisplayName) -> Name? {
        let words = company.text.lowercased().split {
            !($0.isASCII && ($0.isLetter || $0.isNumber))
        }
        return Name(words.joined(separator: "-").prefix(Name.maximumLength))
    }
}
