internal import Base64
public import Languages
public import Tracking

/// What a device may ask for about its owner's account and devices.
public enum AccountCommand: AreaCommand {
    case get
    case update(Change)
    case changePassword(PasswordChange)
    case delete(Password)
    /// Nil: from the beginning.
    case export(cursor: String?)
    case logOut
    case listDevices
    /// The picture of somebody.
    case avatar(Name)
    case revokeDevice(Name)
    case removeDevice(Name)
    /// Nil: what the devices do says which of them the person has on them.
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

    /// What a user wants to change; nil leaves a value as it is.
    public struct Change: Sendable {
        public let email: EmailAddress?
        public let firstName: DisplayName?
        public let lastName: DisplayName?
        /// Who may add the user to a group without asking.
        public let addableBy: Addability?
        /// What a verified address is not changed without.
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

    static func update(_ fields: inout Fields) -> AccountCommand? {
        let email = fields["email"] == nil ? nil : fields.email("email")
        let first = fields["firstName"] == nil ? nil : fields.displayName("firstName")
        let last = fields["lastName"] == nil ? nil : fields.displayName("lastName")
        let addableBy = fields.addability(ifPresent: "addableBy")
        let password = fields["password"] == nil ? nil : fields.password("password")
        let phone = fields.edit("phone", orRefuse: "must be +, the country's code and the number") {
            PhoneNumber($0)
        }
        let shownTo = fields.string(ifPresent: "phoneShownTo")
        let visibility = shownTo.flatMap { PhoneVisibility(rawValue: $0) }
        if shownTo != nil, visibility == nil {
            fields.refuse("phoneShownTo", "must be sos or groups")
        }
        let language = fields.edit("language", orRefuse: "must be one of \(languages)") {
            Language(rawValue: $0)
        }
        let avatar = fields.edit(
            "avatar",
            orRefuse: "must be \(Avatar.side) × \(Avatar.side) pixels of 3 bytes in base64"
        ) { text in Base64.decode(text).flatMap { Avatar(pixels: $0) } }
        return .update(
            Change(
                email: email, firstName: first, lastName: last, addableBy: addableBy,
                password: password, phone: phone, phoneShownTo: visibility, language: language,
                avatar: avatar))
    }

    private static let languages = Language.allCases.map(\.rawValue).joined(separator: ", ")

    static func changePassword(_ fields: inout Fields) -> AccountCommand? {
        let old = fields.password("old")
        let new = fields.newPassword("new", of: nil)
        let endsOthers = fields.bool(ifPresent: "endOthers") ?? false
        guard let old, let new else { return nil }
        return .changePassword(PasswordChange(old: old, new: new, endsOthers: endsOthers))
    }

    static func stopSecondFactor(_ fields: inout Fields) -> AccountCommand? {
        let (password, code) = (fields.password("password"), fields.code("code"))
        guard let password, let code else { return nil }
        return .stopSecondFactor(password, code)
    }

    static func export(_ fields: inout Fields) -> AccountCommand? {
        .export(cursor: fields.string(ifPresent: "cursor"))
    }
}
