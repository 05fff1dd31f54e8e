/// An HTTP request. Redirects are not followed, cookies not kept, proxies not used.
public struct HTTPRequest: Sendable {
    public enum Method: String, Sendable { case post = "POST", get = "GET" }

    public let endpoint: Endpoint
    public let method: Method
    public let headers: [Header]
    public let body: [UInt8]
    public let addresses: AddressPolicy
    public let lane: TransferLane
    public let limits: TransferLimits
    /// The path of a file (PEM) with the authorities to trust; nil for the system's.
    public let authorities: String?

    /// - Parameters:
    ///   - body: at most ``maximumBody`` bytes.
    ///   - addresses: the permitted addresses.
    public init(
        _ method: Method = .post, to endpoint: Endpoint, headers: [Header] = [], body: [UInt8] = [],
        addresses: AddressPolicy = .publicOnly, lane: TransferLane = .ordinary,
        limits: TransferLimits = .http, authorities: String? = nil
    ) throws(TransferError) {
        guard body.count <= HTTPRequest.maximumBody else { throw .invalid(.size) }
        guard authorities?.utf8.contains(0) != true else { throw .invalid(.file) }
        self.endpoint = endpoint
        self.method = method
        self.headers = headers
        self.body = body
        self.addresses = addresses
        self.lane = lane
        self.limits = limits
        self.authorities = authorities
    }

    public static let maximumBody = 1 << 20

    /// A header field (RFC 9110, 5.1 and 5.5).
    public struct Header: Hashable, Sendable {
        public let name: String
        public let value: String

        /// - Parameters:
        ///   - name: a token.
        ///   - value: visible characters, spaces and tabs; not empty, no space around it.
        public init(_ name: String, _ value: String) throws(TransferError) {
            guard !name.isEmpty, name.utf8.allSatisfy(Header.isOfToken), !value.isEmpty,
                value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }),
                let first = value.utf8.first, let last = value.utf8.last,
                !Header.isSpace(first), !Header.isSpace(last)
            else { throw .invalid(.header) }
            self.name = name
            self.value = value
        }

        private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

        private static func isOfToken(_ byte: UInt8) -> Bool {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
            }
        }
    }
}

/// A server's response, other than a redirection.
public struct HTTPResponse: Hashable, Sendable {
    /// From 200.
    public var status: Int
    /// How long the server asks to wait, at most a day; nil if it does not.
    public var retryAfter: Duration?
    /// The beginning of the response's body, which may be truncated anywhere.
    public var body: [UInt8]

    public var isSuccess: Bool { (200..<300).contains(status) }
}
