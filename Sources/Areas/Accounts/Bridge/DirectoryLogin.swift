public import Directory

/// The settings for logging in with an organisation's directory; `docs/ldap.md` is the operator's
/// guide.
public struct DirectoryLogin: Sendable {
    public var settings: DirectorySettings
    /// The interval at which the directory is asked whether a person is still listed …
    public var checkEvery = Duration.seconds(86_400)
    /// … about how many in a minute, at most.
    public var checksPerMinute = 60
    /// The time for which a person stays logged in without typing the password, if the directory
    /// cannot be searched.
    public var tokenLifetime = Duration.seconds(30 * 86_400)

    /// Pending password checks by the directory.
    static let maximumWork = 64
    /// Concurrent questions to the directory.
    static let threads = 4
    /// The delay, or ``checkEvery`` if that is shorter, before the second look for a person who was
    /// not found: only twice in a row counts.
    static let secondLook = Duration.seconds(3_600)
    /// The time without an answer after which a question is asked again.
    static let patience = Duration.seconds(600)
    /// The delay if no one may be logged out just now, or there was no answer.
    static let later = Duration.seconds(300)

    public init(_ settings: DirectorySettings) { self.settings = settings }
}
