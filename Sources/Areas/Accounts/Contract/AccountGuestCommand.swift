internal import JSON
internal import Tracking

/// The requests about accounts from clients that are not logged in.
public enum AccountGuestCommand: AreaGuestCommand {
    case register(Registration)
    case logIn(Login)
    case recover(Recovery)
    /// Requests a link by mail, for a person who forgot the password.
    ///
    /// - `login`, `visitor`: as in ``Login``.
    case forgotten(login: String, visitor: String?)
    /// Verifies an address.
    case verify(TokenSecret, visitor: String?)
    /// Requests a challenge for a passkey to sign.
    case passkeyChallenge
    case logInByPasskey(PasskeyLogin)

    public var visitor: String? {
        switch self {
        case .register(let registration): registration.visitor
        case .logIn(let login): login.visitor
        case .recover(let recovery): recovery.visitor
        case .forgotten(_, let visitor), .verify(_, let visitor): visitor
        case .passkeyChallenge: nil
        case .logInByPasskey(let login): login.visitor
        }
    }

    public struct Registration: Sendable {
        public let user: Name
        public let email: EmailAddress
        public let password: Password
        public let owner: AccountOwner
        /// An invitation by which the person immediately becomes a member of a group.
        public let invitation: InvitationToken?
        /// The same as in ``Login``.
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
        /// The device to log in immediately.
        public let device: Name?
        /// Whether all logged-in devices are logged out.
        public let endsOthers: Bool
        public let visitor: String?
    }

    /// The maximum number of bytes of ``Login/visitor``.
    public static let maximumVisitor = 64

    // MARK: Requested values

    static let registration = Form(
        Form(Form("username", .name), Form("email", .email), Form("password", .newPassword)) {
            Credentials(user: $0, email: $1, password: $2)
        }.reading { credentials, fields, _ in credentials.checked(&fields) },
        PersonalName.form, Form.isTrue("acceptTerms"),
        Form("invitation", .invitation, "the last part of an invitation link").ifPresent,
        Form.visitor
    ) { credentials, name, _, invitation, visitor in
        AccountGuestCommand.register(
            Registration(credentials, .person(name), invitation: invitation, visitor: visitor))
    }

    static let login = Form(
        who, Form("password", .password), Form("device", .name), Form("code", .code).ifPresent,
        Form.visitor
    ) { login, password, device, code, visitor in
        AccountGuestCommand.logIn(
            Login(login: login, password: password, device: device, visitor: visitor, code: code))
    }

    static let recovery = Form(
        Form("token", .link, "the last part of the link"), Form("password", .newPassword),
        Form("device", .name).ifPresent, Form("endOthers", .boolean, "default true").or(true),
        Form.visitor
    ) { link, password, device, endsOthers, visitor in
        AccountGuestCommand.recover(
            Recovery(
                link: link, password: password, device: device, endsOthers: endsOthers,
                visitor: visitor))
    }

    static let forgetting = Form(who, Form.visitor) {
        AccountGuestCommand.forgotten(login: $0, visitor: $1)
    }

    private static let who = Form("login", .login, "the user name or the email address")

    /// Returns the name and the address in a registration, as far as they are valid: whether they
    /// are taken is reported together with all other errors.
    public static func wanted(_ request: Request) -> (user: Name?, email: EmailAddress?) {
        var fields = request.fields
        return (fields.name("username"), fields.email("email"))
    }
}

/// The owner of a new account.
public enum AccountOwner: Sendable {
    case person(PersonalName)
    case company(DisplayName)

    public var kind: AccountKind {
        switch self {
        case .person: .person
        case .company: .company
        }
    }

    /// The name that others see.
    public var display: DisplayName {
        switch self {
        case .person(let name): name.display
        case .company(let name): name
        }
    }

    public var name: PersonalName? { if case .person(let name) = self { name } else { nil } }
}

/// A person's first and last name, and the two combined as others see it.
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

/// The credentials of a new account.
struct Credentials: Sendable {
    let user: Name
    let email: EmailAddress
    let password: Password

    /// Rejects a password that equals the user name.
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
        .text(orRefuse: "must have at most \(AccountGuestCommand.maximumVisitor) bytes") {
            $0.utf8.count <= AccountGuestCommand.maximumVisitor ? $0 : nil
        }
    ).ifPresent
}
