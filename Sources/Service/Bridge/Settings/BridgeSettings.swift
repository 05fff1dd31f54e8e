public import Anonymity
public import Contract
public import Gazetteer
public import Languages
public import Limits
public import MQTT
public import Sealing
public import Tracking

/// All settings of a bridge. `docs/configuration.md` lists the keys.
public struct BridgeSettings: Sendable {
    public var topics = TopicSpace()
    public var rules = Rules()
    /// Users who can be reached only by members of their groups: the people of the demo.
    public var closedToStrangers: Set<Name> = []
    public var limits = FixLimits()
    public var retention = Retention()
    /// The connection URI of a PostgreSQL database; nil: SQLite, in the data directory.
    public var databaseServer: String?
    public var disk = Disk()
    public var broker = Broker()
    public var accounts = Accounts()
    public var fairness = Fairness()
    public var channels = ChannelSettings()
    public var cohorts = Cohorts()
    public var emergency = EmergencySettings()
    public var `operator` = OperatorSettings()
    /// The files that the configuration names, by key.
    public internal(set) var files: [String: String] = [:]
    /// Nil: people log in only with passwords of this service.
    public var directory: DirectoryLogin?
    /// The languages of messages to people; only English without catalogues.
    public var languages = Catalogues.english
    /// Describes an alert's place; nil where no city is near, or none are known (yet).
    public var describePlace: (@Sendable (Coordinate) -> PlaceDescription?)?
    /// When the certificate of the phones' connections expires; nil if there is none, or it is
    /// unknown.
    public var certificateEnd: (@Sendable () -> Timestamp?)?
    /// The keys that encrypt stored vital signs; without them none are stored.
    public var sealingKeys: SealingKeys?

    /// Limits on the data about cohorts that third parties receive.
    public struct Cohorts: Sendable {
        public var policy = CohortPolicy.usual
        /// The time after the end of an hour during which its late data still counts.
        public var settling = Duration.seconds(3_600)

        public init() {}
    }

    public struct Retention: Sendable {
        /// The time for which an SOS path stays readable for the group.
        public var sosPath = Duration.seconds(30 * 86_400)
        public var alerts = Duration.seconds(90 * 86_400)
        public var chat = Duration.seconds(365 * 86_400)
        public var notices = Duration.seconds(90 * 86_400)
        public var vitals = Duration.seconds(365 * 86_400)
        /// People's imports, since the last addition.
        public var imports = Duration.seconds(36_500 * 86_400)
        /// The access log, and ended agreements.
        public var accessLog = Duration.seconds(365 * 86_400)
        /// Calls for help, after their end; and ended monitoring agreements.
        public var incidents = Duration.seconds(365 * 86_400)
        /// Runs and their participants, after the end.
        public var runs = Duration.seconds(365 * 86_400)
        /// The time for which a repeated request is recognised.
        public var replies = Duration.seconds(86_400)
        /// The time for which a message rejected by the broker is kept.
        public var putAside = Duration.seconds(7 * 86_400)

        public init() {}
    }

    public struct Disk: Sendable {
        /// The operator is warned if fewer bytes are free; 0: never.
        public var warnBelow: Int64 = 1 << 30
        /// The bytes reserved for calls for help on a full disk; 0: none.
        public var reserve: Int64 = 8 << 20
        /// The smallest reserve if there is one: when a disk becomes full, 2.3 MiB are needed with
        /// an empty log.
        static let leastReserve: Int64 = 4 << 20
        /// The maximum time that fixes wait for others, to be stored with them.
        public var gatherFor = Duration.milliseconds(50)

        public init() {}
    }

    public struct Broker: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        /// The brokers that the bridge serves, if there are several; the other programs on this
        /// machine use ``host`` and ``port``.
        public var all: [Address] = []
        /// For those of ``all`` that use TLS.
        public var tlsOfAll = ConnectionOptions.TLS()
        public var clientID = "kith:bridge.1"
        public var username: String?
        public var password: String?
        public var tls: ConnectionOptions.TLS?
        /// Whether the gate runs in the broker and reports who is connected.
        public var hasGate = false
        /// The interval at which the broker saves its state: its `autosave_interval`. Confirmed
        /// messages stay in the outbox until the broker must have saved them.
        public var autosaveInterval = Duration.seconds(30)

        public init() {}
    }

    public struct Accounts: Sendable {
        /// The cost of checking a password: the memory is 2 to the power of this, times 3 KiB.
        public var passwordCost = 15
        public var registration = RegistrationPolicy.open
        /// The time without use after which a token expires; nil: never.
        public var tokenLifetime: Duration? = .seconds(365 * 86_400)
        /// The version of the terms and privacy statement; nil: there are none.
        public var termsVersion: String?
        /// Whether companies need a second factor to create services.
        public var companiesNeedSecondFactor = true
        /// Whether companies need a confirmed address to send requests to people.
        public var companiesNeedConfirmedAddress = true
        /// The number of people without an answer yet that a company's services may ask per day.
        public var strangersPerDay = 50
        /// The time for which an address must have been verified before a link that sets a password
        /// is sent there. If no address was verified, a thief of an unlocked phone can enter and
        /// verify their own: the owner is notified, and has this time to react. Not configurable.
        package var verifiedFor = Duration.seconds(7 * 86_400)
        /// The other parameters of scrypt. Not configurable.
        package var passwordBlockSize = 8
        package var passwordParallelism = 3

        public init() {}
    }

    /// The sharing of the bridge's time, in units of about ten microseconds. Not configurable.
    public struct Fairness: Sendable {
        /// The load that each person may cause.
        public var allowance = Allowance(burst: 20_000, perSecond: 5_000)
        /// The load that all guests together may cause.
        public var guests = Allowance(burst: 20_000, perSecond: 20_000)
        /// The interval at which a person with an overdrawn budget still has one request done and
        /// one position shown.
        public var leastPace = Duration.seconds(1)
        /// The cost after which a turn does no more new requests; waiting requests may cost as much
        /// again.
        public var turnShare = 1_000.0

        public init() {}
    }

    public static let maximumBrokers = 16
    /// How long alerts and answers wait for the other brokers after the first has saved them. One
    /// that is away for longer receives what is retained, and messages from then on.
    static let brokerPatience = Duration.seconds(600)
    /// How long after one of several brokers is lost its devices count as connected: the time in
    /// which they connect to another.
    static let movingFor = Duration.seconds(5)
    /// The maximum waiting requests of a device (the number it may send at once), and their bytes.
    public static let maximumWaitingRequests = 1_000
    public static let maximumWaitingBytes = 262_144
    /// Per user, counting devices that have a token or have sent messages.
    public static let maximumDevices = 16
    /// Per user, including devices that are no longer used: their fixes are kept.
    public static let maximumDeviceNames = 100
    /// Passwords waiting to be checked; and the same number that only a directory can check.
    public static let maximumPasswordWork = 64
    public static let maximumGroups = GroupSelection.maximum
    public static let maximumMembers = 2_000
    public static let maximumFriends = FriendCommand.maximumFriends
    /// Per user.
    public static let maximumBlocked = 500
    /// The number of people who may share their position with one user.
    public static let maximumSharers = 1_000
    /// Per user: sources from which positions were imported, and these positions.
    public static let maximumImports = 100
    public static let maximumImportedPositions = 1_000_000
    /// Per company.
    public static let maximumServices = 64
    /// Services that may receive one user's data.
    public static let maximumConsents = 64
    /// Services waiting for one user's answer.
    public static let maximumOpenRequests = 16
    public static let maximumOpenRequestsOfCompany = 4
    /// The time for which a service's request waits for an answer.
    public static let requestLifetime = Duration.seconds(30 * 86_400)
    /// Per company and day: names tried for its services.
    public static let maximumServiceNames = 100
    /// Per person and day: social security numbers that they claim.
    public static let maximumNumbers = 3
    /// People who claim the same number and receive requests because of it, those with the oldest
    /// accounts.
    public static let maximumClaimants = 16
    /// The number of refusals after which a company can no longer reach a user.
    public static let maximumRefusals = 2
    /// Cohort queries waiting for their answers.
    public static let maximumCohortQuestions = 8
    public static let maximumCohortQuestionsOfCompany = 2
    /// Per company and day: refusals also reveal information.
    public static let maximumCohortRefusals = 20
    /// Per service.
    public static let maximumCohortSubscriptions = 16
    /// Announced maintenance periods that are not over.
    public static let maximumMaintenances = 20
    /// Calls to dispatch in quick succession.
    public static let maximumFrequentCalls = 60
    /// Unfinished runs per organiser, and per participant.
    static let maximumRuns = 20
    static let maximumRunEntries = 50
    /// Places of the organisation.
    public static let maximumPlaces = 10_000
    /// Per user.
    public static let maximumReminders = 200
    /// Places of a user, and of a group.
    public static let maximumGeofences = 50
    /// Place rules that involve a user, or a group.
    public static let maximumGeofenceRules = 100
    /// Rules by one creator about, or for, one other person.
    public static let maximumRulesOfPair = 10
    public static let maximumRulesAtPlace = 100
    /// People notified by one rule, and group members covered by one rule.
    public static let maximumToldOfPlaces = 50
    /// Concurrent calls by webhook and by command.
    static let maximumDispatchCalls = 128
    /// Position updates about one person in need that are sent to dispatch.
    public static let maximumIncidentUpdates = 200
    /// The stored answers to one call for help.
    public static let maximumIncidentEvents = 20
    /// The notices kept per user, the newest ones.
    public static let maximumNotices = 500
    /// The same for notices about logins, and about the account. Anyone with the password can cause
    /// any number of the former: they are counted separately, so that they push out no warnings
    /// about them.
    public static let maximumNoticesOfAccount = 100
    /// Per user.
    public static let maximumChannels = 16
    /// Per user.
    public static let maximumPasskeys = 16
    /// Messages waiting for one channel; the least urgent and oldest make room.
    public static let maximumDeliveries = 100
    /// Messages being sent to channels at the same time.
    public static let maximumUnderway = 256
    /// Messages that a user may write per second, in all chats together.
    public static let maximumChatRate = 10
    /// Messages handled in one turn.
    public static let maximumBatch = 1_000
    /// The payload bytes after which a turn accepts no more requests, and no more other messages; a
    /// quarter of that for the latter if there are requests.
    static let maximumBatchBytes = 131_072
    /// Messages waiting for room at the broker. While this many wait, a turn handles at most
    /// ``throttledBatch`` messages, and does no work that can wait.
    public static let maximumWaiting = 10_000
    public static let throttledBatch = 10
    /// Replies stored per device to recognise repeated requests; older ones are deleted, several at
    /// a time.
    public static let maximumReplies = 1_000
    static let repliesAtATime = 100
    /// Timers handled in one turn.
    public static let maximumTimers = 100
    /// Device connections and disconnections handled in one turn.
    public static let maximumArrivals = 50

    public init() {}
}
