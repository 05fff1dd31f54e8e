/// The directory's address, and how to connect to it.
public struct DirectoryServer: Hashable, Sendable {
    public enum Security: String, Hashable, Sendable, CaseIterable {
        /// Unencrypted: only to this machine, unless the operator chooses it.
        case none
        /// Started unencrypted, and aborted unless the server switches to TLS.
        case startTLS = "starttls"
        /// Encrypted from the first byte on.
        case tls
    }

    /// A name or an address; an IPv6 address is without brackets.
    public let host: String
    public let port: Int
    public let security: Security
    /// The path of a file (PEM) with the authorities to trust; nil for the system's.
    public var authorities: String?

    public init(host: String, port: Int, security: Security, authorities: String? = nil) {
        (self.host, self.port, self.security) = (host, port, security)
        self.authorities = authorities
    }

    /// Reads `ldaps://host`, or `ldap://host:port`; nil if it is neither.
    ///
    /// - Parameter security: overrides the default, which is StartTLS for `ldap:`, except for this
    ///   machine.
    public init?(_ url: String, _ security: Security? = nil) {
        guard let separator = url.firstRange(of: "://") else { return nil }
        let scheme = url[..<separator.lowerBound].lowercased()
        guard ["ldap", "ldaps"].contains(scheme) else { return nil }
        var rest = url[separator.upperBound...]
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        var port = scheme == "ldaps" ? 636 : 389
        let host: Substring
        if rest.hasPrefix("["), let end = rest.firstIndex(of: "]") {
            host = rest[rest.index(after: rest.startIndex)..<end]
            rest = rest[rest.index(after: end)...]
        } else {
            host = rest.prefix { $0 != ":" }
            rest = rest.dropFirst(host.count)
        }
        if !rest.isEmpty {
            guard rest.first == ":", let number = Int(rest.dropFirst()),
                (1...65_535).contains(number)
            else { return nil }
            port = number
        }
        guard !host.isEmpty, host.utf8.count <= 253,
            host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !"/@?#[]%\\,\"<>".utf8.contains($0) })
        else { return nil }
        let isHere = DirectoryServer.isThisMachine(String(host))
        let usual: Security = scheme == "ldaps" ? .tls : isHere ? .none : .startTLS
        guard (scheme == "ldaps") == ((security ?? usual) == .tls) else { return nil }
        self.init(host: String(host), port: port, security: security ?? usual)
    }

    private static func isThisMachine(_ host: String) -> Bool {
        host == "localhost" || host == "::1"
            || host.wholeMatch(of: /127\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}/) != nil
    }

    /// As libldap expects it; ``LDAPConnection`` begins StartTLS.
    var url: String {
        "\(security == .tls ? "ldaps" : "ldap")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }
}
