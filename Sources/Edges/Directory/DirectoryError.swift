/// Why the directory gave no answer. It names no server and no person, and repeats nothing of the
/// query.
public enum DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    case unresolvable
    case unreachable
    case timedOut
    /// No handshake, or a certificate that is not trusted, or is another server's.
    case tls
    /// The configured account may not search.
    case accountRefused
    /// A referral, which is never followed.
    case redirected
    /// The base entry does not exist.
    case baseMissing
    /// An entry lacks its identifying attribute, or its owner may not read it.
    case incomplete
    /// A filter, or the name of an entry, is invalid.
    case malformed
    /// Anything else, with LDAP's code (RFC 4511, A.1), or libldap's own, which is below zero.
    case failed(Int32)

    public var description: String {
        switch self {
        case .unresolvable: "The directory's name cannot be resolved."
        case .unreachable: "Connecting to the directory failed."
        case .timedOut: "The directory did not answer in time."
        case .tls: "There is no trusted TLS connection to the directory."
        case .accountRefused: "The directory does not accept the lookup account."
        case .redirected: "The directory returned a referral, which is not followed."
        case .baseMissing: "The directory has no entry at login.ldap.base."
        case .incomplete:
            "A directory entry lacks login.ldap.attributes.user or .id, or they cannot be "
                + "read."
        case .malformed: "A filter or an entry's name is malformed."
        case .failed(let code): "The directory failed (code \(code))."
        }
    }
}
