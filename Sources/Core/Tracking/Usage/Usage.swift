/// The data written to disk today because of a person, counted against the daily quota. Days are
/// those of the server's clock in UTC; if the clock jumps to another day, forwards or back, the
/// count restarts.
public struct Usage: Hashable, Sendable {
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Including the path points that they add, and samples of vital signs.
        case fixes
        /// Each counts once per notified group.
        case alerts
        /// Messages in chats.
        case messages
        /// Changes of groups and their members, which the chats mention.
        case changes
        /// Answers to requests.
        case answers
        /// Strangers looked up by name or address, whether they exist or not.
        case strangers
    }

    package struct Amount: Hashable, Sendable {
        package internal(set) var rows: Int
        package internal(set) var bytes: Int
        package internal(set) var lastAt: Timestamp?

        package init(rows: Int = 0, bytes: Int = 0, lastAt: Timestamp? = nil) {
            self.rows = rows
            self.bytes = bytes
            self.lastAt = lastAt
        }
    }

    package private(set) var day: Int64 = 0
    private var fixes = Amount()
    private var alerts = Amount()
    private var messages = Amount()
    private var changes = Amount()
    private var answers = Amount()
    private var strangers = Amount()

    public init() {}

    /// Restores a stored value.
    package init(day: Int64, amounts: (Kind) -> Amount) {
        self.day = day
        for kind in Kind.allCases { self[kind] = amounts(kind) }
    }

    /// Whether one more may be written; even if the quota is used up, one is occasionally allowed.
    public func admits(_ kind: Kind, at now: Timestamp) -> Bool {
        let amount = self[kind]
        guard day == now.day, kind.quota.isUsedUp(amount.rows, amount.bytes),
            let last = amount.lastAt, last <= now
        else { return true }
        return now >= last + kind.quota.pause
    }

    /// - Returns: whether this reached the quota.
    public mutating func note(_ kind: Kind, bytes: Int = 0, at now: Timestamp) -> Bool {
        if day != now.day {
            self = Usage()
            day = now.day
        }
        let quota = kind.quota
        let wasUsedUp = quota.isUsedUp(self[kind].rows, self[kind].bytes)
        self[kind].rows += 1
        self[kind].bytes += bytes
        self[kind].lastAt = now
        return !wasUsedUp && quota.isUsedUp(self[kind].rows, self[kind].bytes)
    }

    /// When the last counted day began; nil if nothing was counted.
    public var since: Timestamp? {
        day == 0 ? nil : Timestamp(milliseconds: day * Timestamp.dayLength)
    }

    /// The counts of that day.
    public func count(_ kind: Kind) -> (rows: Int, bytes: Int) {
        (self[kind].rows, self[kind].bytes)
    }

    package private(set) subscript(_ kind: Kind) -> Amount {
        get {
            switch kind {
            case .fixes: fixes
            case .alerts: alerts
            case .messages: messages
            case .changes: changes
            case .answers: answers
            case .strangers: strangers
            }
        }
        set {
            switch kind {
            case .fixes: fixes = newValue
            case .alerts: alerts = newValue
            case .messages: messages = newValue
            case .changes: changes = newValue
            case .answers: answers = newValue
            case .strangers: strangers = newValue
            }
        }
    }
}

/// The daily quota of a person.
public struct Quota: Hashable, Sendable {
    public let rows: Int
    public let bytes: Int
    /// Once the quota is used up, one more is accepted after this time.
    public let pause: Duration

    func isUsedUp(_ rows: Int, _ bytes: Int) -> Bool { rows >= self.rows || bytes >= self.bytes }
}

extension Usage.Kind {
    public var quota: Quota {
        switch self {
        case .fixes: Quota(rows: 500_000, bytes: .max, pause: .seconds(10))
        case .alerts: Quota(rows: 20_000, bytes: .max, pause: .seconds(600))
        case .messages: Quota(rows: 20_000, bytes: 32 << 20, pause: .seconds(10))
        case .changes: Quota(rows: 5_000, bytes: .max, pause: .seconds(10))
        case .answers: Quota(rows: 200_000, bytes: 1 << 30, pause: .seconds(10))
        case .strangers: Quota(rows: 100, bytes: .max, pause: .seconds(600))
        }
    }
}

extension Timestamp {
    fileprivate static let dayLength: Int64 = 86_400_000

    /// Days since 1970-01-01, in UTC.
    fileprivate var day: Int64 {
        let (whole, rest) = milliseconds.quotientAndRemainder(dividingBy: Timestamp.dayLength)
        return rest < 0 ? whole - 1 : whole
    }

    /// When the next day begins in UTC.
    public var nextMidnight: Timestamp {
        Timestamp(milliseconds: (day + 1) * Timestamp.dayLength)
    }
}
