extension Command {
    /// What a user wants to change; nil leaves a value as it is.
    public struct AccountChange: Sendable {
        public let email: EmailAddress?
        public let firstName: DisplayName?
        public let lastName: DisplayName?
    }

    static func updateAccount(_ fields: inout Fields) -> Action? {
        let email = fields["email"] == nil ? nil : fields.email("email")
        let first = fields["firstName"] == nil ? nil : fields.displayName("firstName")
        let last = fields["lastName"] == nil ? nil : fields.displayName("lastName")
        return .updateAccount(AccountChange(email: email, firstName: first, lastName: last))
    }

    static func changePassword(_ fields: inout Fields) -> Action? {
        let old = fields.password("old")
        let new = fields.newPassword("new", of: nil)
        let endsOthers = fields.bool(ifPresent: "endOthers") ?? false
        guard let old, let new else { return nil }
        return .changePassword(PasswordChange(old: old, new: new, endsOthers: endsOthers))
    }
}
