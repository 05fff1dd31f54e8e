public import Contract
public import Tracking

/// A channel as stored.
public struct ChannelRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    /// The browser's login; nil for what belongs to the person.
    public let device: DeviceID?
    public let kind: ChannelKind
    /// The endpoint, the address or the URL.
    public let address: String
    public var label: String
    /// Of a browser's subscription.
    public let publicKey: [UInt8]?
    /// A subscription's authentication secret, or the key that signs for a webhook.
    public let secret: [UInt8]?
    public var news: Set<News>
    public let addedAt: Timestamp
    /// The hash of a code that proves that the address is the person's.
    public var codeHash: [UInt8]?
    public var codeAttempts: Int
    public var confirmedAt: Timestamp?
    /// When something was last handed to its sender.
    public var triedAt: Timestamp?
    public var workedAt: Timestamp?
    public var failure: Channel.Failure?
    /// When nothing but calls for help is told.
    public var quiet: QuietHours?

    public init(
        id: UUIDv7, user: UserID, device: DeviceID?, kind: ChannelKind, address: String,
        label: String, publicKey: [UInt8]? = nil, secret: [UInt8]? = nil, news: Set<News>,
        addedAt: Timestamp, codeHash: [UInt8]? = nil, codeAttempts: Int = 0,
        confirmedAt: Timestamp? = nil, triedAt: Timestamp? = nil, workedAt: Timestamp? = nil,
        failure: Channel.Failure? = nil, quiet: QuietHours? = nil
    ) {
        (self.id, self.user, self.device, self.kind) = (id, user, device, kind)
        (self.address, self.label, self.publicKey) = (address, label, publicKey)
        (self.secret, self.news, self.addedAt) = (secret, news, addedAt)
        (self.codeHash, self.codeAttempts) = (codeHash, codeAttempts)
        (self.confirmedAt, self.triedAt) = (confirmedAt, triedAt)
        (self.workedAt, self.failure, self.quiet) = (workedAt, failure, quiet)
    }

    /// As its owner sees it.
    public var channel: Channel {
        Channel(
            id: id, kind: kind, label: label, news: news, addedAt: addedAt,
            isConfirmed: confirmedAt != nil, workedAt: workedAt, failure: failure, quiet: quiet)
    }
}

/// A message on its way to a channel.
public struct DeliveryRow: Hashable, Sendable {
    public let channel: UUIDv7
    public let user: UserID
    public let message: ChannelMessage
    /// Whom the message names, if it is not its receiver.
    public let about: UserID?
    /// The group in which it was told: it is for its members alone.
    public let group: GroupID?
    public let urgency: Urgency
    /// How often sending it has failed.
    public var attempts: Int
    public var due: Timestamp
    public var expiresAt: Timestamp
    /// Whether it has waited for the end of quiet hours.
    public let isHeld: Bool

    /// Whether it is part of a call for help that is answered.
    public let isSuspended: Bool

    /// What is sent before what.
    public enum Urgency: Int, Comparable, Sendable, CaseIterable {
        /// The service checks whether the channel still works.
        case check
        case notice
        case alert
        /// Its owner waits for it: a code or a test.
        case awaited
        case sos

        public static func < (a: Urgency, b: Urgency) -> Bool { a.rawValue < b.rawValue }
    }

    public init(
        channel: UUIDv7, user: UserID, message: ChannelMessage, about: UserID? = nil,
        group: GroupID? = nil, urgency: Urgency, attempts: Int = 0, due: Timestamp,
        expiresAt: Timestamp, isHeld: Bool = false, isSuspended: Bool = false
    ) {
        (self.channel, self.user, self.message) = (channel, user, message)
        (self.about, self.group, self.urgency) = (about, group, urgency)
        (self.attempts, self.due) = (attempts, due)
        (self.expiresAt, self.isHeld, self.isSuspended) = (expiresAt, isHeld, isSuspended)
    }
}
