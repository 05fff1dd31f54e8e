public import Languages
public import Tracking

/// A device's requests about its owner's account and devices.
public enum AccountCommand: AreaCommand {
    case get
    case update(Change)
    case changePassword(PasswordChange)
    case delete(Password)
    /// Nil: from the beginning.
    case export(cursor: String?)
    case logOut
    case listDevices
    /// A user's picture.
    case avatar(Name)
    case revokeDevice(Name)
    case removeDevice(Name)
    /// Nil to infer the carried device from what the devices do.
    case carryDevice(Name?)
    case startSecondFactor(Password)
    case confirmSecondFactor(SecondFactorCode)
    case stopSecondFactor(Password, SecondFactorCode)
    case beginPasskey
    case addPasskey(PasskeyAddition)
    case listPasskeys
    case removePasskey(UUIDv7, Password)
    /// The version of the terms and of the privacy statement.
    case acceptTerms(version: String)

    /// A user's changes; nil leaves a value as it is.
    public struct Change: Sendable {
        public let email: EmailAddress?
        public let firstName: DisplayName?
        public let lastName: DisplayName?
        /// The users who may add this user to a group without asking.
        public let addableBy: Addability?
        /// The password, required to change a verified address.
        public let password: Password?
        public let phone: Edit<PhoneNumber>
        public let phoneShownTo: PhoneVisibility?
        public let language: Edit<Language>
        public let avatar: Edit<Avatar>
    }

    public struct PasswordChange: Sendable {
        public let old: Password
        public let new: Password
        /// Whether all other devices are logged out.
        public let endsOthers: Bool
    }

    static let change = Form(
        Form("email", .email).ifPresent, Form("firstName", .displayName).ifPresent,
        Form("lastName", .displayName).ifPresent,
        Form(
            "addableBy", .choice(of: Addability.self),
            "who may add you to a group without asking"
        ).ifPresent,
        Form("password", .password, "required to change a verified address").ifPresent,
        Form("phone", .phoneNumber).orNull,
        Form("phoneShownTo", .choice(of: PhoneVisibility.self)).ifPresent,
        Form("language", .choice(of: Language.self)).orNull, Form("avatar", .avatar).orNull
    ) { email, first, last, addableBy, password, phone, shownTo, language, avatar in
        AccountCommand.update(
            Change(
                email: email, firstName: first, lastName: last, addableBy: addableBy,
                password: password, phone: phone, phoneShownTo: shownTo, language: language,
                avatar: avatar))
    }

    static let passwordChange = Form(
        Form("old", .password), Form("new", .newPassword),
        Form("endOthers", .boolean, "default false").or(false)
    ) { AccountCommand.changePassword(PasswordChange(old: $0, new: $1, endsOthers: $2)) }
}
