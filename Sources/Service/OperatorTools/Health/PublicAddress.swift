/// Tells apart addresses that strangers can reach, judging by the address alone.
public enum PublicAddress {
    /// - Parameter origin: `https://kith.example.org`; nil for a page on this machine only.
    public static func isPublic(_ origin: String?) -> Bool {
        guard let origin, let start = origin.firstRange(of: "://") else { return false }
        let rest = origin[start.upperBound...]
        let host =
            rest.hasPrefix("[")
            ? rest.dropFirst().prefix { $0 != "]" } : rest.prefix { $0 != ":" && $0 != "/" }
        return !isLocal(host.lowercased())
    }

    private static func isLocal(_ host: String) -> Bool {
        if host == "localhost" || !host.contains(where: { $0 == "." || $0 == ":" }) { return true }
        let endings = [".local", ".lan", ".home", ".internal", ".home.arpa", ".localhost"]
        if endings.contains(where: host.hasSuffix) { return true }
        let parts = host.split(separator: ".").compactMap { UInt8($0) }
        if parts.count == 4, host.allSatisfy({ $0.isNumber || $0 == "." }) {
            switch (parts[0], parts[1]) {
            // RFC 1918, RFC 3927, RFC 6598 and loopback.
            case (10, _), (127, _), (192, 168), (169, 254): return true
            case (172, let second): return (16...31).contains(second)
            case (100, let second): return (64...127).contains(second)
            default: return false
            }
        }
        // RFC 4193 and RFC 4291.
        return host.contains(":")
            && (host == "::1"
                || ["fc", "fd", "fe8", "fe9", "fea", "feb"].contains(where: host.hasPrefix))
    }
}
