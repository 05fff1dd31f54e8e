public import Directory

/// Logging in with what an organisation has given people. `docs/ldap.md` says what an operator needs
/// to know.
public struct DirectoryLogin: Sendable {
    public var settings: DirectorySettings
    /// How often the directory is asked whether somebody is still there …
    public var checkEvery = Duration.seconds(86_400)
    /// … about how many in a minute, at most.
    public var checksPerMinute = 60
    /// Where it cannot be asked: for how long somebody stays logged in without typing the password.
    public var tokenLifetime = Duration.seconds(30 * 86_400)

    /// Work on passwords that waits for the directory.
    static let maximumWork = 64
    /// Questions to the directory at a time.
    static let threads = 4
    /// Somebody who is not found is looked for again after this time, or ``checkEvery`` if that is
    /// shorter: only twice in a row counts.
    static let secondLook = Duration.seconds(3_600)
    /// How long an answer is waited for before the same is asked again.
    static let patience = Duration.seconds(600)
    /// When nobody may be logged out just now, or there was no answer, it is asked again.
    static let later = Duration.seconds(300)

    public init(_ settings: DirectorySettings) { self.settings = settings }
}
