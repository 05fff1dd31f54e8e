/// What a device may ask for about its owner's account and devices.
public enum AccountCommand: AreaCommand {
    case get
    case update(Change)
    case changePassword(PasswordChange)
    case delete(Password)
    /// Nil: from the beginning.
    case export(cursor: ExportCursor?)
    case logOut
    case listDevices
    case revokeDevice(Name)

    /// What a user wants to change; nil leaves a value as it is.
    public struct Change: Sendable {
        public let email: EmailAddress?
        public let firstName: DisplayName?
        public let lastName: DisplayName?
        /// Who may add the user to a group without asking.
        public let addableBy: Addability?
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
        return .update(
            Change(email: email, firstName: first, lastName: last, addableBy: addableBy))
    }

    static func changePassword(_ fields: inout Fields) -> AccountCommand? {
        let old = fields.password("old")
        let new = fields.newPassword("new", of: nil)
        let endsOthers = fields.bool(ifPresent: "endOthers") ?? false
        guard let old, let new else { return nil }
        return .changePassword(PasswordChange(old: old, new: new, endsOthers: endsOthers))
    }

    static func export(_ fields: inout Fields) -> AccountCommand? {
        guard let text = fields.string(ifPresent: "cursor") else {
            return .export(cursor: nil)
        }
        guard let cursor = ExportCursor(text) else {
            fields.refuse("cursor", "was not issued by this service")
            return nil
        }
        return .export(cursor: cursor)
    }
}
