/// One message to one person, for a mail server (RFC 5321, RFC 6409).
public struct MailSubmission: Sendable {
    public let server: MailServer
    public let from: String
    public let to: String
    public let message: [UInt8]
    public let lane: TransferLane
    public let limits: TransferLimits

    /// - Parameters:
    ///   - from: the envelope's sender, to which failures are sent: ASCII, without brackets.
    ///   - message: head and body, each line ended by CR and LF; at most ``maximumSize`` bytes.
    public init(
        by server: MailServer, from: String, to: String, message: [UInt8],
        lane: TransferLane = .ordinary, limits: TransferLimits = .mail
    ) throws(TransferError) {
        guard MailSubmission.isAddress(from), MailSubmission.isAddress(to) else {
            throw .invalid(.address)
        }
        guard message.count <= MailSubmission.maximumSize else { throw .invalid(.size) }
        guard MailSubmission.hasOnlyWholeLines(message) else { throw .invalid(.lines) }
        self.server = server
        self.from = from
        self.to = to
        self.message = message
        self.lane = lane
        self.limits = limits
    }

    public static let maximumSize = 1 << 20

    /// Returns whether the address is safe in the envelope. Other requirements of an address are
    /// checked elsewhere.
    static func isAddress(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count <= 254, let at = bytes.lastIndex(of: UInt8(ascii: "@")), at > 0,
            at < bytes.count - 1
        else { return false }
        return bytes.allSatisfy { (0x21...0x7E).contains($0) && !"<>()[],;:\\\"".utf8.contains($0) }
            && bytes.count { $0 == UInt8(ascii: "@") } == 1
    }

    /// Returns whether all lines end with CR and LF: to some servers any other line ending is the
    /// end of a message, and the rest another message.
    static func hasOnlyWholeLines(_ message: [UInt8]) -> Bool {
        let (carriageReturn, lineFeed) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        var previous: UInt8 = 0
        for byte in message {
            guard byte != 0, (previous == carriageReturn) == (byte == lineFeed) else {
                return false
            }
            previous = byte
        }
        return previous == lineFeed
    }
}

/// The mail server that accepts messages from this machine.
public struct MailServer: Hashable, Sendable {
    public enum Security: String, Hashable, Sendable, CaseIterable {
        /// Only to this machine itself.
        case none
        /// Started unencrypted, and aborted unless the server then offers TLS.
        case startTLS = "starttls"
        /// Encrypted from the first byte on.
        case tls
    }

    /// A user name and a password.
    public struct Login: Hashable, Sendable {
        public var user: String
        public var password: String

        public init(user: String, password: String) {
            self.user = user
            self.password = password
        }
    }

    public let host: String
    public let port: Int
    public let security: Security
    public let login: Login?
    /// The path of a file (PEM) with the authorities to trust; nil for the system's.
    public let authorities: String?

    /// - Parameters:
    ///   - host: a name or an address.
    ///   - port: usually 587 for STARTTLS, 465 for TLS.
    public init(
        host: String, port: Int, security: Security, login: Login? = nil,
        authorities: String? = nil
    ) throws(TransferError) {
        let isAddress6 = host.contains(":")
        let hasOnlyItsOwn = host.utf8.allSatisfy {
            $0 > 0x20 && $0 != 0x7F && !"/@?#[]%\\".utf8.contains($0)
        }
        guard !host.isEmpty, host.utf8.count <= 253, hasOnlyItsOwn,
            !isAddress6 || IPAddress(host) != nil, (1...65_535).contains(port)
        else { throw .invalid(.server) }
        guard login.map({ !($0.user + $0.password).utf8.contains { $0 < 0x20 } }) ?? true else {
            throw .invalid(.credentials)
        }
        guard authorities?.utf8.contains(0) != true else { throw .invalid(.file) }
        self.host = isAddress6 ? "[\(host)]" : host
        self.port = port
        self.security = security
        self.login = login
        self.authorities = authorities
    }
}

/// The mail server's final reply about this message.
public struct MailReply: Hashable, Sendable {
    /// 2xx, 4xx or 5xx (RFC 5321, 4.2.1).
    public let code: Int
    /// Whether the mailbox is full, as far as the server reports it.
    private let isFull: Bool
    /// Whether the server permanently refuses this recipient, rather than the sender, the message,
    /// or relaying at all.
    public let isAboutRecipient: Bool

    /// - Parameters:
    ///   - refusal: the beginning of a failure reply.
    ///   - isAboutRecipient: whether it answers `RCPT`.
    init(code: Int, _ refusal: [UInt8], isAboutRecipient: Bool) {
        self.code = code
        isFull = code == 552 || MailReply.saysFull(refusal, code)
        self.isAboutRecipient =
            isAboutRecipient && code >= 500 && MailReply.saysThereIsNobody(refusal, code)
    }

    public var isAccepted: Bool { (200..<300).contains(code) }
    /// Whether the same message may be accepted later. Most servers report a full mailbox as
    /// permanent, but its owner can make room (RFC 3463, 3.3: "a persistent transient condition").
    public var isTemporary: Bool { (400..<500).contains(code) || isFull }

    /// The length of a reply's code and enhanced status: `550 5.2.2 `.
    static let statusEnd = 10
    /// The length of a reply that is kept.
    static let longestRefusal = 512

    /// Returns whether a reply about a recipient states only that there is no such mailbox: servers
    /// give their reasons against the sender, or against relaying, in the same place. Decides by
    /// the enhanced status (RFC 3463), or without one by what the reply does not mention.
    private static func saysThereIsNobody(_ refusal: [UInt8], _ code: Int) -> Bool {
        let text = String(decoding: refusal, as: UTF8.self).lowercased()
        let status = text.dropFirst(4).prefix { $0.isNumber || $0 == "." }
        if status.hasPrefix("5.") { return absences.contains(String(status)) }
        return [550, 551, 553].contains(code) && !policies.contains(where: text.contains)
    }

    /// No such mailbox or domain, or one that is disabled.
    private static let absences: Set<String> = [
        "5.1.1", "5.1.2", "5.1.3", "5.1.6", "5.1.10", "5.2.1", "5.4.1",
    ]
    /// Words in replies that are not about the recipient.
    private static let policies = [
        "relay", "sender", "auth", "helo", "administrative", "policy", "denied", "block", "spam",
        "verif",
    ]

    private static func saysFull(_ refusal: [UInt8], _ code: Int) -> Bool {
        let status = refusal.dropFirst(3).dropFirst()
        return refusal.starts(with: "\(code)".utf8) && status.starts(with: "5.2.2".utf8)
            && status.dropFirst(5).first.map { !(0x30...0x39).contains($0) } ?? true
    }
}
