public import Contract
public import Tracking

/// A stored channel.
public struct ChannelRow: Hashable, Sendable {
    public let id: UUIDv7
    public let user: UserID
    /// The browser's login; nil if the channel belongs to the person.
    public let device: DeviceID?
    public let kind: ChannelKind
    /// The endpoint, the address or the URL.
    public let address: String
    public var label: String
    /// A subscription's key.
    public let publicKey: [UInt8]?
    /// A subscription's authentication secret, or the key that signs for a webhook.
    public let secret: [UInt8]?
    public var news: Set<News>
    public let addedAt: Timestamp
    /// The hash of the code that proves the person's ownership of the address.
    public var codeHash: [UInt8]?
    public var codeAttempts: Int
    public var confirmedAt: Timestamp?
    /// The time of the last submission.
    public var triedAt: Timestamp?
    public var workedAt: Timestamp?
    public var failure: Channel.Failure?
    /// The hours in which only calls for help are sent.
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

    static let record = Record<ChannelRow>(
        "channels",
        Column("id", .id, \.id), Column("user_id", .number, \.user),
        Column("device_id", .null(or: .number), \.device),
        Column("kind", .word(of: ChannelKind.self), \.kind), Column("address", .text, \.address),
        Column("label", .text, \.label), Column("public_key", .null(or: .blob), \.publicKey),
        Column("secret", .null(or: .blob), \.secret), Column("news", .news, \.news),
        Column("added_at_ms", .time, \.addedAt), Column("code_hash", .null(or: .blob), \.codeHash),
        Column("code_attempts", .count, \.codeAttempts),
        Column("confirmed_at_ms", .null(or: .time), \.confirmedAt),
        Column("tried_at_ms", .null(or: .time), \.triedAt),
        Column("worked_at_ms", .null(or: .time), \.workedAt),
        Column("failed_at_ms", "failure", type: .failure, \.failure),
        Column("quiet_from", "quiet_to", "quiet_zone", type: .quiet, \.quiet)
    ) {
        ChannelRow(
            id: $0, user: $1, device: $2, kind: $3, address: $4, label: $5, publicKey: $6,
            secret: $7, news: $8, addedAt: $9, codeHash: $10, codeAttempts: $11, confirmedAt: $12,
            triedAt: $13, workedAt: $14, failure: $15, quiet: $16)
    }

    /// The channel as its owner sees it.
    public var channel: Channel {
        Channel(
            id: id, kind: kind, label: label, news: news, addedAt: addedAt,
            isConfirmed: confirmedAt != nil, workedAt: workedAt, failure: failure, quiet: quiet)
    }
}

/// Values unknown to this version are ignored.
extension ColumnType where Value == Set<News> {
    static let news = ColumnType { row, place in
        Set(try row.text(place).split(separator: ",").compactMap { News(rawValue: String($0)) })
    } write: {
        [.text($0.map(\.rawValue).sorted().joined(separator: ","))]
    }
}

extension ColumnType where Value == Channel.Failure? {
    static let failure = ColumnType(width: 2) { row, place in
        guard let at = try row.optionalTime(place), let text = try row.optionalText(place + 1),
            let reason = DeliveryFailure(rawValue: text)
        else { return .some(nil) }
        return Channel.Failure(at: at, reason: reason)
    } write: {
        [SQLValue($0?.at), SQLValue($0?.reason.rawValue)]
    }
}

extension ColumnType where Value == QuietHours? {
    static let quiet = ColumnType(width: 3) { row, place in
        guard let from = try row.optionalInteger(place),
            let to = try row.optionalInteger(place + 1), let zone = try row.optionalText(place + 2)
        else { return .some(nil) }
        return .some(QuietHours(from: Int(from), to: Int(to), timeZone: zone))
    } write: {
        [
            SQLValue($0.map { Int64($0.from) }), SQLValue($0.map { Int64($0.to) }),
            SQLValue($0?.timeZone),
        ]
    }
}

/// A message on its way to a channel.
public struct DeliveryRow: Hashable, Sendable {
    public let channel: UUIDv7
    public let user: UserID
    public let message: ChannelMessage
    /// The user whom the message names, if other than its receiver.
    public let about: UserID?
    /// The group that it concerns: only members may receive it.
    public let group: GroupID?
    public let urgency: Urgency
    /// The number of failed attempts.
    public var attempts: Int
    public var due: Timestamp
    public var expiresAt: Timestamp
    /// Whether it has been held for quiet hours.
    public let isHeld: Bool

    /// Whether it is part of an answered call for help.
    public let isSuspended: Bool

    /// The priority of a delivery.
    public enum Urgency: Int, Comparable, Sendable, CaseIterable {
        /// A check whether the channel still works.
        case check
        case notice
        case alert
        /// A code or a test that its owner waits for.
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
