internal import Glibc
internal import HTTPTypes

/// The host names under which the page answers. If an attacker's name server points a name at this
/// machine (DNS rebinding), a browser treats the page as theirs, and lets their script query it
/// from inside the network.
///
/// If the page's address is not configured, only names that no one else can own are accepted:
/// addresses, this machine's own name, names without a dot, and names with suffixes used only
/// inside a network.
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
        "This server is not known by this name. If the name is correct, the operator must add it "
            + "to web.hosts (KITH_WEB_HOSTS), or set web.origin to the page's address.")

    /// Suffixes of names that no outsider can point here: those without public name servers (RFC
    /// 6761, 6762, 8375; the others by ICANN and by custom), and those that only a router or a
    /// private network assigns, to its own machines.
    private static let inside = [
        ".localhost", ".local", ".home.arpa", ".test", ".internal", ".lan", ".home", ".localdomain",
        ".fritz.box", ".speedport.ip", ".ts.net",
    ]

    /// Returns the host without the port.
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
