public import Tracking

/// A channel as its owner sees it: it reaches them while none of their devices is connected.
public struct Channel: Sendable {
    public let id: UUIDv7
    public let kind: ChannelKind
    /// Its name: chosen by the owner, or that of the receiving server.
    public let label: String
    public let news: Set<News>
    public let addedAt: Timestamp
    /// Whether the address is proved to be its owner's.
    public let isConfirmed: Bool
    /// The last successful delivery.
    public let workedAt: Timestamp?
    /// The last failure since the last success, if any.
    public let failure: Failure?
    /// The hours in which only calls for help are sent.
    public let quiet: QuietHours?

    public struct Failure: Hashable, Sendable {
        public let at: Timestamp
        public let reason: DeliveryFailure

        public init(at: Timestamp, reason: DeliveryFailure) {
            (self.at, self.reason) = (at, reason)
        }
    }

    public init(
        id: UUIDv7, kind: ChannelKind, label: String, news: Set<News>, addedAt: Timestamp,
        isConfirmed: Bool, workedAt: Timestamp?, failure: Failure?, quiet: QuietHours? = nil
    ) {
        (self.id, self.kind, self.label, self.news) = (id, kind, label, news)
        (self.addedAt, self.isConfirmed) = (addedAt, isConfirmed)
        (self.workedAt, self.failure, self.quiet) = (workedAt, failure, quiet)
    }

    public static let payload = Payload<Channel>(
        "Channel",
        .init("channel", .uuid) { $0.id },
        .init("kind", .choice) { $0.kind },
        .init("label", .text) { $0.label },
        .init("news", .list(of: .choice)) { $0.news.sorted { $0.rawValue < $1.rawValue } },
        .init("addedAt", .time) { $0.addedAt },
        .init("confirmed", .boolean) { $0.isConfirmed },
        .init("workedAt", .time) { $0.workedAt },
        .init("failedAt", .time) { $0.failure?.at },
        .init("failure", .choice) { $0.failure?.reason },
        .init("quiet", .quietHours) { $0.quiet })

    public var payload: [UInt8] { Channel.payload.bytes(of: self) }
}

/// The reason why a delivery failed, without anything about its destination.
public enum DeliveryFailure: String, Hashable, Sendable, CaseIterable, Error {
    /// The name has no address, or there is no answer.
    case unreachable
    /// The time limit was exceeded.
    case timeout
    /// The certificate is not valid for the name, or there is no encryption.
    case encryption = "tls"
    /// The address is in a forbidden network.
    case forbidden = "forbidden-address"
    /// The answer was not a success.
    case refused
    /// The receiver asked for fewer messages.
    case tooMany = "too-many"
    /// The address or subscription no longer exists.
    case gone
    /// The operator's mail server rejects the sender or the message, or refuses to relay.
    case mailServer = "mail-server"
    /// The installation cannot send this.
    case notOffered = "not-offered"
    /// The message cannot be sent in this form.
    case unsendable

    /// Whether the operator has to fix it, rather than the person who entered the address.
    public func isOperators(_ kind: ChannelKind) -> Bool {
        switch self {
        case .mailServer, .notOffered: true
        case .unreachable, .timeout, .encryption: kind != .webhook
        case .forbidden: kind == .mail
        case .refused, .tooMany, .gone, .unsendable: false
        }
    }
}
