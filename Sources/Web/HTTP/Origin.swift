/// Scheme, host and port of an address (RFC 6454), as browsers write it.
struct Origin: Hashable, Sendable {
    let text: String

    /// Nil for anything but `http` and `https`.
    init?(of address: String) {
        for scheme in ["https://", "http://"] where address.hasPrefix(scheme) {
            let host = address.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" }
            // What could end a directive of a security policy is no host.
            guard !host.isEmpty,
                host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !",;\"'{}".utf8.contains($0) })
            else { return nil }
            text = scheme + host.lowercased()
            return
        }
        return nil
    }

    /// - Parameter host: of the header field: a name, and perhaps a port.
    func isSite(of host: String) -> Bool {
        text == "http://" + host.lowercased() || text == "https://" + host.lowercased()
    }
}
