internal import Glibc
internal import HTTPTypes

/// The names under which the page answers. Where somebody's name server says that a name of theirs is this
/// machine (DNS rebinding), a browser takes the page for theirs, and lets their script ask it from inside
/// the network.
///
/// Where the page's address is not configured, what nobody else can own is enough: addresses, this machine's
/// own name, names without a dot, and those that end only inside a network.
struct KnownHosts: Sendable {
    /// Nil: any.
    private let names: Set<String>?

    init(_ settings: WebSettings) {
        guard settings.server.origin == nil else {
            names = nil
            return
        }
        let told =
            settings.server.hosts + [settings.phones.host, KnownHosts.ownName].compactMap { $0 }
        names = Set(told.map { KnownHosts.normal($0) })
    }

    /// - Parameter authority: the value of the Host header field.
    func allow(_ authority: String) -> Bool {
        guard let names else { return true }
        let host = KnownHosts.normal(KnownHosts.host(of: authority))
        return names.contains(host) || KnownHosts.isAddress(host) || !host.contains(".")
            || KnownHosts.inside.contains { host.hasSuffix($0) }
    }

    static let refusal = Refusal(
        .misdirectedRequest,
        "This server is not known by this name. If it is yours, whoever runs the server adds it to web.hosts "
            + "(KITH_WEB_HOSTS), or sets web.origin to the page's address.")

    /// Names that nobody outside can let point here: those that no public name server has (RFC 6761, 6762, 8375;
    /// the others by ICANN and by custom), and those that only a router or a private network gives, to the
    /// machines within.
    private static let inside = [
        ".localhost", ".local", ".home.arpa", ".test", ".internal", ".lan", ".home", ".localdomain",
        ".fritz.box", ".speedport.ip", ".ts.net",
    ]

    /// Without the port.
    static func host(of authority: String) -> String {
        guard let colon = authority.lastIndex(of: ":"), !authority.hasSuffix("]") else {
            return authority
        }
        return String(authority[..<colon])
    }

    private static func normal(_ host: String) -> String {
        let lower = host.lowercased()
        return lower.hasSuffix(".") ? String(lower.dropLast()) : lower
    }

    private static func isAddress(_ host: String) -> Bool {
        var four = in_addr()
        if inet_pton(AF_INET, host, &four) == 1 { return true }
        guard host.hasPrefix("["), host.hasSuffix("]") else { return false }
        var six = in6_addr()
        return inet_pton(AF_INET6, String(host.dropFirst().dropLast()), &six) == 1
    }

    private static var ownName: String? {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return nil }
        let name = String(
            decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return name.isEmpty ? nil : name
    }
}
