internal import JSON
public import Tracking

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

        init(
            _ credentials: Credentials, _ owner: AccountOwner, invitation: InvitationToken? = nil,
            visitor: String?
        ) {
            (user, email, password) = (credentials.user, credentials.email, credentials.password)
            (self.owner, self.invitation, self.visitor) = (owner, invitation, visitor)
        }
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
    public init(
        method name: String, _ request: Request, at now: Timestamp, _ limits: FixLimits
    ) throws(Problem) {
        guard let method = Method.named(name) else { throw Method.unknown }
        guard let form = method.guest else {
            guard method.askers.contains(.user) else { throw Method.unknown }
            throw Problem(.notAllowed, "Log in first.")
        }
        var fields = request.fields
        let command = form.read(&fields, Method.Circumstances(now: now, limits: limits))
        try fields.check()
        guard let command else { throw .incomplete }
        self = command
    }

    // MARK: What is asked

    static let registration = Form(
        Form(Form("username", .name), Form("email", .email), Form("password", .newPassword)) {
            Credentials(user: $0, email: $1, password: $2)
        }.reading { credentials, fields, _ in credentials.checked(&fields) },
        PersonalName.form, Form.isTrue("acceptTerms"),
        Form("invitation", .invitation, "the end of the link of an invitation").ifPresent,
        Form.visitor
    ) { credentials, name, _, invitation, visitor in
        GuestCommand.register(
            Registration(credentials, .person(name), invitation: invitation, visitor: visitor))
    }

    static let login = Form(
        who, Form("password", .password), Form("device", .name), Form("code", .code).ifPresent,
        Form.visitor
    ) { login, password, device, code, visitor in
        GuestCommand.logIn(
            Login(login: login, password: password, device: device, visitor: visitor, code: code))
    }

    static let recovery = Form(
        Form("token", .link, "the end of the link"), Form("password", .newPassword),
        Form("device", .name).ifPresent, Form("endOthers", .boolean, "usually true").or(true),
        Form.visitor
    ) { link, password, device, endsOthers, visitor in
        GuestCommand.recover(
            Recovery(
                link: link, password: password, device: device, endsOthers: endsOthers,
                visitor: visitor))
    }

    static let forgetting = Form(who, Form.visitor) {
        GuestCommand.forgotten(login: $0, visitor: $1)
    }

    private static let who = Form("login", .login, "the user name or the email address")

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

    fileprivate static let form = Form(
        Form("firstName", .displayName), Form("lastName", .displayName)
    ) { (first: $0, last: $1) }.reading { names, fields, _ in
        do throws(DisplayName.Reason) {
            return try PersonalName(first: names.first, last: names.last)
        } catch {
            fields.refuse("lastName", error.text)
            return nil
        }
    }
}

/// How one gets into a new account.
struct Credentials: Sendable {
    let user: Name
    let email: EmailAddress
    let password: Password

    /// Refuses a password that is the user name.
    func checked(_ fields: inout Fields) -> Credentials? {
        guard password.isName(user) else { return self }
        fields.refuse("password", "must not be the user name")
        return nil
    }
}

extension Kind where Value == String {
    fileprivate static let login = Kind.text(
        orRefuse: "must have 1 to \(EmailAddress.maximumLength) bytes"
    ) { (1...EmailAddress.maximumLength).contains($0.utf8.count) ? $0 : nil }
}

extension Form where Value == String? {
    /// The visitor on whose behalf a program on the broker's machine asks.
    static let visitor = Form<String>(
        "visitor",
        .text(orRefuse: "must have at most \(GuestCommand.maximumVisitor) bytes") {
            $0.utf8.count <= GuestCommand.maximumVisitor ? $0 : nil
        }
    ).ifPresent
}
