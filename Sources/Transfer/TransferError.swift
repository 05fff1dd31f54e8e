internal import CCurl

/// Why there was no answer. It names no address, no host, and nothing of what was sent.
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
    /// The answer says to go elsewhere, which is never done.
    case redirected
    /// The head of an answer goes on and on.
    case tooLarge
    case brokenOff
    /// The answer is none in the protocol.
    case protocolViolation
    /// Too much waits already.
    case busy
    /// The task was cancelled, or the client was closed.
    case cancelled
    /// Anything else, with libcurl's own code.
    case failed(Int32)

    public enum Fault: String, Hashable, Sendable {
        case url = "the URL is not one of http or https, or too long"
        case header = "a header has characters that may not be in one"
        case size = "it is too large"
        case server = "the mail server's name or port is none"
        case address = "a mail address has characters that may not be in one"
        case lines = "the message has lines that do not end as mail's do"
        case credentials = "the user name or password has characters that may not be in one"
        case file = "the path of the authorities has a zero byte"
    }

    /// Whether the same may work later, without the person who named the destination: what is wrong
    /// with a mail server is for the operator to mend.
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
        case .refusedAddress: "The destination is at an address that may not be connected to."
        case .unresolvable: "The destination's name cannot be resolved."
        case .unreachable: "The destination cannot be connected to."
        case .timedOut: "The destination did not answer in time."
        case .tls: "There is no trusted connection to the destination (TLS)."
        case .unencrypted: "The mail server does not offer the encryption that is required."
        case .loginRefused: "The mail server does not accept the user name and the password."
        case .redirected: "The destination redirects elsewhere, which is not followed."
        case .tooLarge: "The head of the destination's answer is too large."
        case .brokenOff: "The connection broke off."
        case .protocolViolation: "The destination does not answer as its protocol says."
        case .busy: "Too much is waiting to be sent."
        case .cancelled: "The sending was given up."
        case .failed(let code): "The sending failed (libcurl's code \(code))."
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
