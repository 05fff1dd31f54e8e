internal import JSON

/// What a client that is not logged in may ask for.
public enum GuestCommand: Sendable {
    case register(Registration)
    case logIn(Login)
    /// Who invites to what.
    ///
    /// - `visitor`: as in ``Login``.
    case invitation(InvitationToken, visitor: String?)
    /// Whoever has a link wants to see what it shows.
    case openShare(TokenSecret, visitor: String?)
    case recover(Recovery)
    /// A link by mail, for somebody who has forgotten the password.
    ///
    /// - `login`, `visitor`: as in ``Login``.
    case forgotten(login: String, visitor: String?)
    /// That an address is somebody's.
    case verify(TokenSecret, visitor: String?)
    /// What a passkey is to sign.
    case passkeyChallenge
    case logInByPasskey(PasskeyLogin)
    case runs(RunQuery)
    case run(Name)
    case runResults(RunResultsQuery)
    case health

    public struct Registration: Sendable {
        public let user: Name
        public let email: EmailAddress
        public let password: Password
        public let owner: AccountOwner
        /// By which the person becomes a member of a group at once.
        public let invitation: InvitationToken?
        /// As in ``Login``.
        public let visitor: String?
    }

    public struct Login: Sendable {
        /// A user name or an email address, as typed.
        public let login: String
        public let password: Password
        public let device: Name
        /// The visitor on whose behalf a program on the broker's machine asks.
        public let visitor: String?
        public let code: SecondFactorCode?
    }

    /// Setting a password with a link.
    public struct Recovery: Sendable {
        public let link: TokenSecret
        public let password: Password
        /// The device that is to be logged in at once.
        public let device: Name?
        /// Whether all devices that were logged in are logged out.
        public let endsOthers: Bool
        public let visitor: String?
    }

    /// The maximum number of bytes of ``Login/visitor``.
    public static let maximumVisitor = 64

    /// - Throws: `not-allowed` for methods of users, `unknown-method`, or `invalid` with every
    ///   field that cannot be accepted.
    public init(method name: String, _ request: Request) throws(Problem) {
        guard let method = Method.named(name) else { throw Method.unknown }
        guard let read = method.guest else {
            guard method.askers.contains(.user) else { throw Method.unknown }
            throw Problem(.notAllowed, "Log in first.")
        }
        var fields = request.fields
        let command = read(&fields)
        try fields.check()
        guard let command else { throw .incomplete }
        self = command
    }

    static func register(_ fields: inout Fields) -> GuestCommand? {
        let user = fields.name("username")
        let email = fields.email("email")
        let password = fields.newPassword("password", of: user)
        let first = fields.displayName("firstName")
        let last = fields.displayName("lastName")
        if fields["acceptTerms"] != .bool(true) { fields.refuse("acceptTerms", "must be true") }
        let invitation =
            fields["invitation"] == nil
            ? nil : fields.string("invitation").map { InvitationToken($0) }
        let visitor = visitor(&fields)
        guard let first, let last else { return nil }
        let name: PersonalName
        do throws(DisplayName.Reason) {
            name = try PersonalName(first: first, last: last)
        } catch {
            fields.refuse("lastName", error.text)
            return nil
        }
        guard let user, let email, let password else { return nil }
        return .register(
            Registration(
                user: user, email: email, password: password, owner: .person(name),
                invitation: invitation, visitor: visitor))
    }

    static func logIn(_ fields: inout Fields) -> GuestCommand? {
        let login = login(&fields)
        let password = fields.password("password")
        let device = fields.name("device")
        let visitor = visitor(&fields)
        let code = fields["code"] == nil ? nil : fields.code("code")
        guard let login, let password, let device else { return nil }
        return .logIn(
            Login(
                login: login, password: password, device: device, visitor: visitor, code: code))
    }

    static func invitation(_ fields: inout Fields) -> GuestCommand? {
        let (token, visitor) = (fields.invitationToken(), visitor(&fields))
        return token.map { .invitation($0, visitor: visitor) }
    }

    static func recover(_ fields: inout Fields) -> GuestCommand? {
        let link = fields.link("token")
        let password = fields.newPassword("password", of: nil)
        let device = fields["device"] == nil ? nil : fields.name("device")
        let endsOthers = fields.bool(ifPresent: "endOthers") ?? true
        let visitor = visitor(&fields)
        guard let link, let password else { return nil }
        return .recover(
            Recovery(
                link: link, password: password, device: device, endsOthers: endsOthers,
                visitor: visitor))
    }

    static func verify(_ fields: inout Fields) -> GuestCommand? {
        let (link, visitor) = (fields.link("token"), visitor(&fields))
        return link.map { .verify($0, visitor: visitor) }
    }

    static func forgotten(_ fields: inout Fields) -> GuestCommand? {
        let (login, visitor) = (login(&fields), visitor(&fields))
        return login.map { .forgotten(login: $0, visitor: visitor) }
    }

    private static func login(_ fields: inout Fields) -> String? {
        guard let login = fields.string("login") else { return nil }
        guard (1...EmailAddress.maximumLength).contains(login.utf8.count) else {
            fields.refuse("login", "must have 1 to \(EmailAddress.maximumLength) bytes")
            return nil
        }
        return login
    }

    static func visitor(_ fields: inout Fields) -> String? {
        let visitor = fields.string(ifPresent: "visitor")
        if let visitor, visitor.utf8.count > maximumVisitor {
            fields.refuse("visitor", "must have at most \(maximumVisitor) bytes")
        }
        return visitor
    }

    /// The name and the address in a request to register, as far as they can be read: whether they
    /// are taken is told together with everything else that is wrong.
    public static func wanted(_ request: Request) -> (user: Name?, email: EmailAddress?) {
        var fields = request.fields
        return (fields.name("username"), fields.email("email"))
    }
}

/// Whose account it is to be.
public enum AccountOwner: Sendable {
    case person(PersonalName)
    case company(DisplayName)

    public var kind: AccountKind {
        switch self {
        case .person: .person
        case .company: .company
        }
    }

    /// As others see it.
    public var display: DisplayName {
        switch self {
        case .person(let name): name.display
        case .company(let name): name
        }
    }

    public var name: PersonalName? { if case .person(let name) = self { name } else { nil } }
}

/// A person's first and last name, and the two combined as others see them.
public struct PersonalName: Sendable {
    public let first: DisplayName
    public let last: DisplayName
    public let display: DisplayName

    /// - Throws: the reason as the end of a sentence, if the two together are too long.
    public init(first: DisplayName, last: DisplayName) throws(DisplayName.Reason) {
        self.first = first
        self.last = last
        display = try PersonalName.display(first.text, last.text)
    }

    /// - Throws: the reason as the end of a sentence.
    public static func display(_ first: String?, _ last: String?)
        throws(DisplayName.Reason) -> DisplayName
    {
        do throws(DisplayName.Reason) {
            return try DisplayName([first, last].compactMap { $0 }.joined(separator: " "))
        } catch {
            throw DisplayName.Reason(text: error.text + ", together with the other name")
        }
    }
}
