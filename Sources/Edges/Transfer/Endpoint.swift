internal import CCurl

/// The URL of an HTTP server, parsed by libcurl, so that no later parser reads it differently.
public struct Endpoint: Hashable, Sendable {
    public let url: String
    /// In lower case; an IPv6 address has its brackets.
    public let host: String
    public let port: Int
    public let isEncrypted: Bool

    /// At most 2,048 bytes, `http` or `https`, in ASCII or with an international host name.
    public static let maximumLength = 2048

    public init(_ url: String) throws(TransferError) {
        guard url.utf8.count <= Endpoint.maximumLength, !url.utf8.contains(0),
            let handle = unsafe curl_url()
        else { throw .invalid(.url) }
        defer { unsafe curl_url_cleanup(handle) }
        guard unsafe curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = unsafe Endpoint.part(CURLUPART_SCHEME, of: handle),
            ["http", "https"].contains(scheme),
            let host = unsafe Endpoint.part(CURLUPART_HOST, of: handle), !host.isEmpty,
            let port = unsafe Endpoint.part(
                CURLUPART_PORT, of: handle, UInt32(CURLU_DEFAULT_PORT)),
            let port = Int(port), port > 0
        else { throw .invalid(.url) }
        self.url = url
        self.host = host.lowercased()
        self.port = port
        isEncrypted = scheme == "https"
    }

    @unsafe private static func part(
        _ part: CURLUPart, of handle: OpaquePointer, _ flags: UInt32 = 0
    ) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK,
            let found = unsafe text
        else { return nil }
        defer { unsafe curl_free(found) }
        return unsafe String(cString: found)
    }
}
