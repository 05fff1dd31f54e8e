internal import CCurl

/// Why there was no answer. It names no address and no host, and repeats nothing of what was sent.
public enum TransferError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The request itself cannot be sent.
    case invalid(Fault)
    /// The destination has only addresses that the ``AddressPolicy`` does not permit.
    case refusedAddress
    case unresolvable
    case unreachable
    case timedOut
    /// No handshake, or a certificate that is not trusted.
    case tls
    /// The mail server does not offer the encryption that is required.
    case unencrypted
    /// The mail server does not accept user name and password.
    case loginRefused
    /// A redirection, which is never followed.
    case redirected
    /// The head of an answer does not end.
    case tooLarge
    case brokenOff
    /// The answer violates the protocol.
    case protocolViolation
    /// Too much is already waiting.
    case busy
    /// The task was cancelled, or the client was closed.
    case cancelled
    /// Anything else, with libcurl's own code.
    case failed(Int32)

    public enum Fault: String, Hashable, Sendable {
        case url = "the URL is not one of http or https, or too long"
        case header = "a header contains invalid characters"
        case size = "it is too large"
        case server = "the mail server's name or port is not valid"
        case address = "a mail address contains invalid characters"
        case lines = "the message has invalid line endings"
        case credentials = "the user name or password contains invalid characters"
        case file = "the path of the authorities has a zero byte"
    }

    /// Whether a retry may work without action by the person who named the destination: faults of a
    /// mail server are the operator's to fix.
    public var isTemporary: Bool {
        switch self {
        case .unresolvable, .unreachable, .timedOut, .tls, .unencrypted, .loginRefused, .tooLarge,
            .brokenOff, .protocolViolation, .busy, .cancelled, .failed:
            true
        case .invalid, .refusedAddress, .redirected: false
        }
    }

    public var description: String {
        switch self {
        case .invalid(let fault): "It cannot be sent: \(fault.rawValue)."
        case .refusedAddress: "Connections to the destination's address are not allowed."
        case .unresolvable: "The destination's name cannot be resolved."
        case .unreachable: "Connecting to the destination failed."
        case .timedOut: "The destination did not answer in time."
        case .tls: "There is no trusted TLS connection to the destination."
        case .unencrypted: "The mail server does not offer the encryption that is required."
        case .loginRefused: "The mail server does not accept the user name and the password."
        case .redirected: "The destination redirects, which is not followed."
        case .tooLarge: "The destination's response header is too large."
        case .brokenOff: "The connection was lost."
        case .protocolViolation: "The destination's answer violates its protocol."
        case .busy: "Too much is waiting to be sent."
        case .cancelled: "Sending was abandoned."
        case .failed(let code): "Sending failed (libcurl code \(code))."
        }
    }

    init(_ code: CURLcode) {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST: self = .unresolvable
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED: self = .unreachable
        case CURLE_OPERATION_TIMEDOUT: self = .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_CIPHER, CURLE_SSL_ISSUER_ERROR:
            self = .tls
        case CURLE_USE_SSL_FAILED: self = .unencrypted
        case CURLE_LOGIN_DENIED: self = .loginRefused
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            self = .brokenOff
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING:
            self = .protocolViolation
        case CURLE_URL_MALFORMAT: self = .invalid(.url)
        default: self = .failed(Int32(bitPattern: code.rawValue))
        }
    }
}
