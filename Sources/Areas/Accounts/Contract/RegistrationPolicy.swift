/// Who may create an account by themselves; the operator always can (`accounts.registration`).
public enum RegistrationPolicy: String, Hashable, Sendable, CaseIterable {
    case open
    /// Whoever has the link of an invitation to a group.
    case invitation
    case closed

    /// What a configuration must say, after the key.
    public static let rule = "must be open, invitation or closed"
}
