public import Contract
public import MQTT
public import Tracking

/// Everything about a bridge that can be set. `docs/configuration.md` lists the keys.
public struct BridgeSettings: Sendable {
    public var topics = TopicSpace()
    public var rules = Rules()
    public var limits = FixLimits()
    public var retention = Retention()
    public var broker = Broker()
    public var accounts = Accounts()
    public var fairness = Fairness()

    public struct Retention: Sendable {
        /// How long an SOS path stays readable for the group.
        public var sosPath = Duration.seconds(30 * 86_400)
        public var alerts = Duration.seconds(90 * 86_400)
        public var chat = Duration.seconds(365 * 86_400)
        /// How long a repeated request is recognised.
        public var replies = Duration.seconds(86_400)
        /// How long a message that the broker does not take is kept.
        public var putAside = Duration.seconds(7 * 86_400)

        public init() {}
    }

    public struct Broker: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        public var clientID = "kith:bridge.1"
        public var username: String?
        public var password: String?
        public var tls: ConnectionOptions.TLS?
        /// Whether the gate runs in the broker and tells who is connected.
        public var hasGate = false
        /// How often it saves what it keeps: its `autosave_interval`. What it has confirmed is
        /// kept in the outbox until it must have been saved.
        public var autosaveInterval = Duration.seconds(1)

        public init() {}
    }

    public struct Accounts: Sendable {
        /// What trying one password costs: 2 to the power of this, times 3 KiB.
        public var passwordCost = 15
        /// The other parameters of scrypt. No configuration sets them.
        package var passwordBlockSize = 8
        package var passwordParallelism = 3

        public init() {}
    }

    /// How the bridge's time is shared, in units of about ten microseconds. No configuration sets
    /// it.
    public struct Fairness: Sendable {
        /// What each person may cause.
        public var allowance = Allowance(burst: 20_000, perSecond: 5_000)
        /// What all guests together may.
        public var guests = Allowance(burst: 20_000, perSecond: 20_000)
        /// Who is overdrawn has a request done, and a position shown, so often all the same.
        public var leastPace = Duration.seconds(1)
        /// After so much of new requests a turn does no more of them; as much again is for those
        /// that wait.
        public var turnShare = 1_000.0

        public init() {}
    }

    /// Requests of a device that wait to be done, as many as it may send at once, and their bytes.
    public static let maximumWaitingRequests = 1_000
    public static let maximumWaitingBytes = 262_144
    /// Of a user, with a token or heard of.
    public static let maximumDevices = 16
    /// Of a user, counting those that are not used any more: their fixes are kept.
    public static let maximumDeviceNames = 100
    /// Passwords that wait to be looked at.
    public static let maximumPasswordWork = 64
    public static let maximumGroups = Command.maximumGroups
    public static let maximumMembers = 2_000
    public static let maximumFriends = FriendCommand.maximumFriends
    /// Of one user.
    public static let maximumBlocked = 500
    /// Who can show one user where they are.
    public static let maximumSharers = 1_000
    /// Of a user, in all chats together, in any second.
    public static let maximumChatRate = 10
    /// Messages taken in one turn.
    public static let maximumBatch = 1_000
    /// Bytes of requests, and of everything else, after which a turn takes no more of them; beside
    /// requests a quarter.
    static let maximumBatchBytes = 131_072
    /// Messages that wait for room at the broker. While it has no room for so many, a turn
    /// takes ``throttledBatch`` at most, and nothing that can wait.
    public static let maximumWaiting = 10_000
    public static let throttledBatch = 10
    /// Answers of a device by which a repeated request is known; older ones are forgotten, some
    /// at a time.
    public static let maximumReplies = 1_000
    static let repliesAtATime = 100
    /// Timers looked at in one turn.
    public static let maximumTimers = 100
    /// Devices of which a turn takes notice that they came or went.
    public static let maximumArrivals = 50

    public init() {}
}
