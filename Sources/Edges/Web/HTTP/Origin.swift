/// Scheme, host and port of a URL (RFC 6454), as browsers write them.
struct Origin: Hashable, Sendable {
    let text: String

    /// Nil for any scheme but `http` and `https`.
    init?(of address: String) {
        for scheme in ["https://", "http://"] where address.hasPrefix(scheme) {
            let host = address.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
            // Characters that could end a directive of a security policy are not allowed in a host.
            guard !host.isEmpty,
                host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !",;\"'{}".utf8.contains($0) })
            else { return nil }
            text = scheme + host.lowercased()
            return
        }
        return nil
    }

    /// - Parameter host: the value of the Host header field: a name, optionally with a port.
    func isSite(of host: String) -> Bool {
        text == "http://" + host.lowercased() || text == "https://" + host.lowercased()
    }
}
