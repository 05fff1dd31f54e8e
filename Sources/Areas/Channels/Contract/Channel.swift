internal import JSON
public import Tracking

/// Where somebody is reached while nothing of theirs is connected, as they see it.
public struct Channel: Sendable {
    public let id: UUIDv7
    public let kind: ChannelKind
    /// What it is called: as the person named it, or after the server that receives it.
    public let label: String
    public let news: Set<News>
    public let addedAt: Timestamp
    /// Whether the address is known to be theirs.
    public let isConfirmed: Bool
    /// When something was last sent with success.
    public let workedAt: Timestamp?
    /// When sending last failed, if it has failed since it last worked, and why.
    public let failure: Failure?
    /// When nothing but calls for help is told.
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

    /// `{channel,kind,label,news,addedAt,confirmed,workedAt?,failedAt?,failure?,quiet?}`.
    public var payload: [UInt8] {
        JSONWriter.object { json in
            json.key("channel")
            json.string(id.description)
            json.key("kind")
            json.string(kind.rawValue)
            json.key("label")
            json.string(label)
            json.key("news")
            json.array(news.map(\.rawValue).sorted()) { $0.string($1) }
            json.key("addedAt")
            json.time(addedAt)
            json.key("confirmed")
            json.bool(isConfirmed)
            if let workedAt {
                json.key("workedAt")
                json.time(workedAt)
            }
            if let failure {
                json.key("failedAt")
                json.time(failure.at)
                json.key("failure")
                json.string(failure.reason.rawValue)
            }
            if let quiet {
                json.key("quiet")
                quiet.append(to: &json)
            }
        }
    }
}

/// Why something could not be sent, without anything about where to.
public enum DeliveryFailure: String, Hashable, Sendable, CaseIterable, Error {
    /// The name has no address, or nobody answers there.
    case unreachable
    /// It took too long.
    case timeout
    /// The certificate is not valid for the name, or there is no encryption.
    case encryption = "tls"
    /// The address lies in a network to which nothing is sent.
    case forbidden = "forbidden-address"
    /// The answer was not a success.
    case refused
    /// The receiver asked for fewer messages.
    case tooMany = "too-many"
    /// The address or subscription no longer exists.
    case gone
    /// The operator's mail server refuses the sender, the message, or to pass on mail.
    case mailServer = "mail-server"
    /// The installation has no way of sending this.
    case notOffered = "not-offered"
    /// The message cannot be sent to anybody like this.
    case unsendable

    /// Whether the operator has to look into it, and not the person who gave the address.
    public func isOperators(_ kind: ChannelKind) -> Bool {
        switch self {
        case .mailServer, .notOffered: true
        case .unreachable, .timeout, .encryption: kind != .webhook
        case .forbidden: kind == .mail
        case .refused, .tooMany, .gone, .unsendable: false
        }
    }
}
