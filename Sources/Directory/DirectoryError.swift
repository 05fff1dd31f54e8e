/// Why the directory gave no answer. It names no server, no person, and nothing of what was asked.
public enum DirectoryError: Error, Hashable, Sendable, CustomStringConvertible {
    case unresolvable
    case unreachable
    case timedOut
    /// No handshake, or a certificate that is not trusted, or is another server's.
    case tls
    /// It does not let us look, as the account that is configured.
    case accountRefused
    /// It sends us elsewhere, which is never done.
    case redirected
    /// The place where people are is not there.
    case baseMissing
    /// An entry lacks what it is recognised by, or its owner may not read it.
    case incomplete
    /// A filter, or the name of an entry, is none.
    case malformed
    /// Anything else, with the code of LDAP (RFC 4511, A.1), or libldap's own below zero.
    case failed(Int32)

    public var description: String {
        switch self {
        case .unresolvable: "The directory's name cannot be resolved."
        case .unreachable: "The directory cannot be connected to."
        case .timedOut: "The directory did not answer in time."
        case .tls: "There is no trusted connection to the directory (TLS)."
        case .accountRefused: "The directory does not accept the account that looks people up."
        case .redirected: "The directory sends us elsewhere, which is not followed."
        case .baseMissing: "There is nothing in the directory at login.ldap.base."
        case .incomplete:
            "An entry of the directory lacks login.ldap.attributes.user or .id, or they cannot be "
                + "read."
        case .malformed: "A filter, or the name of an entry, is malformed."
        case .failed(let code): "The directory failed (code \(code))."
        }
    }
}
