/// The people who may create an account themselves; the operator always can
/// (`accounts.registration`).
public enum RegistrationPolicy: String, Hashable, Sendable, CaseIterable {
    case open
    /// Anyone with the link of an invitation to a group.
    case invitation
    case closed

    /// The rule for a configuration's value, after the key.
    public static let rule = "must be open, invitation or closed"
}
