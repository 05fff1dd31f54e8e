public import Anonymity
public import Contract
public import Gazetteer
public import Languages
public import Limits
public import MQTT
public import Sealing
public import Tracking

/// Everything about a bridge that can be set. `docs/configuration.md` lists the keys.
public struct BridgeSettings: Sendable {
    public var topics = TopicSpace()
    public var rules = Rules()
    /// Whom nobody reaches who shares no group with them: the people of the demo.
    public var closedToStrangers: Set<Name> = []
    public var limits = FixLimits()
    public var retention = Retention()
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
    /// Nil: people log in with passwords of this service alone.
    public var directory: DirectoryLogin?
    /// In which people are told things; English alone without catalogues.
    public var languages = Catalogues.english
    /// Names the place of an alert; nil where no city is near, or none are known (yet).
    public var describePlace: (@Sendable (Coordinate) -> PlaceDescription?)?
    /// When the certificate expires to which phones connect; nil if there is none, or it is not known.
    public var certificateEnd: (@Sendable () -> Timestamp?)?
    /// With which vital signs are stored; without them none are.
    public var sealingKeys: SealingKeys?

    /// What third parties may learn about cohorts.
    public struct Cohorts: Sendable {
        public var policy = CohortPolicy.usual
        /// How long after the end of an hour what belongs to it still counts.
        public var settling = Duration.seconds(3_600)

        public init() {}
    }

    public struct Retention: Sendable {
        /// How long an SOS path stays readable for the group.
        public var sosPath = Duration.seconds(30 * 86_400)
        public var alerts = Duration.seconds(90 * 86_400)
        public var chat = Duration.seconds(365 * 86_400)
        public var notices = Duration.seconds(90 * 86_400)
        public var vitals = Duration.seconds(365 * 86_400)
        /// What people import, since something was added to it.
        public var imports = Duration.seconds(36_500 * 86_400)
        /// Who has asked for and read what, and agreements that are over.
        public var accessLog = Duration.seconds(365 * 86_400)
        /// When help was called, after that was over; and agreements to be watched that are over.
        public var incidents = Duration.seconds(365 * 86_400)
        /// Runs, and who took part, after they were over.
        public var runs = Duration.seconds(365 * 86_400)
        /// How long a repeated request is recognised.
        public var replies = Duration.seconds(86_400)
        /// How long a message that the broker rejects is kept.
        public var putAside = Duration.seconds(7 * 86_400)

        public init() {}
    }

    public struct Disk: Sendable {
        /// The operator is warned if fewer bytes are free; 0: never.
        public var warnBelow: Int64 = 1 << 30
        /// The bytes that are kept for calls for help on a full disk; 0: none.
        public var reserve: Int64 = 8 << 20
        /// The least that is kept if anything is: at the beginning of a full disk 2.3 MiB are needed where
        /// the log is empty.
        static let leastReserve: Int64 = 4 << 20
        /// How long fixes wait for others at most, to be stored with them.
        public var gatherFor = Duration.milliseconds(50)

        public init() {}
    }

    public struct Broker: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        public var clientID = "kith:bridge.1"
        public var username: String?
        public var password: String?
        public var tls: ConnectionOptions.TLS?
        /// Whether the gate runs in the broker and reports who is connected.
        public var hasGate = false
        /// How often the broker saves its state: its `autosave_interval`. What it has confirmed is
        /// kept in the outbox until it must have been saved.
        public var autosaveInterval = Duration.seconds(30)

        public init() {}
    }

    public struct Accounts: Sendable {
        /// The cost of trying one password: it takes 2 to the power of this, times 3 KiB.
        public var passwordCost = 15
        public var registration = RegistrationPolicy.open
        /// After this time without being used a token ends; nil: never.
        public var tokenLifetime: Duration? = .seconds(365 * 86_400)
        /// The version of the terms and of the privacy statement; nil: there are none.
        public var termsVersion: String?
        /// Whether companies make services only with a second factor.
        public var companiesNeedSecondFactor = true
        /// Whether companies ask people only once their address is confirmed.
        public var companiesNeedConfirmedAddress = true
        /// For so many people who have not answered may the services of a company ask in a day.
        public var strangersPerDay = 50
        /// How long an address must have been verified before a link that sets a password is sent
        /// there. A thief of an unlocked phone can put in an address of their own where none was
        /// verified, and verify it: the owner is told, and has this time to do something about it.
        /// No configuration sets it.
        package var verifiedFor = Duration.seconds(7 * 86_400)
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
        /// What all guests together may cause.
        public var guests = Allowance(burst: 20_000, perSecond: 20_000)
        /// The interval at which somebody whose budget is overdrawn still has one request done and
        /// one position shown.
        public var leastPace = Duration.seconds(1)
        /// The cost after which a turn does no more new requests; waiting requests may cost as much
        /// again.
        public var turnShare = 1_000.0

        public init() {}
    }

    /// The requests of a device that may wait to be done (as many as it may send at once), and
    /// their bytes.
    public static let maximumWaitingRequests = 1_000
    public static let maximumWaitingBytes = 262_144
    /// Per user, counting devices that have a token or were heard from.
    public static let maximumDevices = 16
    /// Per user, counting devices that are no longer used: their fixes are kept.
    public static let maximumDeviceNames = 100
    /// Passwords that wait to be checked; and as many that a directory alone can know.
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
    /// Services that may have one user's data.
    public static let maximumConsents = 64
    /// Services that wait for one user's answer.
    public static let maximumOpenRequests = 16
    public static let maximumOpenRequestsOfCompany = 4
    /// How long a request of a service waits for an answer.
    public static let requestLifetime = Duration.seconds(30 * 86_400)
    /// Per company and day: names that it tries for its services.
    public static let maximumServiceNames = 100
    /// Per person and day: social security numbers that they say are theirs.
    public static let maximumNumbers = 3
    /// People who say that one number is theirs and are asked because of it, those with the oldest
    /// accounts.
    public static let maximumClaimants = 16
    /// So often does a user refuse a company before it reaches them no more.
    public static let maximumRefusals = 2
    /// Questions about cohorts that wait for their answers.
    public static let maximumCohortQuestions = 8
    public static let maximumCohortQuestionsOfCompany = 2
    /// Per company and day: what is refused tells something, too.
    public static let maximumCohortRefusals = 20
    /// Per service.
    public static let maximumCohortSubscriptions = 16
    /// Announced times without service that are not over.
    public static let maximumMaintenances = 20
    /// Calls to dispatch that come soon after each other.
    public static let maximumFrequentCalls = 60
    /// Runs that an organiser has, and in which somebody takes part, as long as they are not over.
    static let maximumRuns = 20
    static let maximumRunEntries = 50
    /// Places of the organisation.
    public static let maximumPlaces = 10_000
    /// Per user.
    public static let maximumReminders = 200
    /// Places of a user, and of a group.
    public static let maximumGeofences = 50
    /// Rules about places in which a user is, or a group.
    public static let maximumGeofenceRules = 100
    /// Rules of one maker about, or for, one other person.
    public static let maximumRulesOfPair = 10
    public static let maximumRulesAtPlace = 100
    /// People whom one rule tells something, and members of a group who are watched.
    public static let maximumToldOfPlaces = 50
    /// Calls by webhook and by command that are under way at a time.
    static let maximumDispatchCalls = 128
    /// Positions of one person in need that are sent to them.
    public static let maximumIncidentUpdates = 200
    /// What is kept of the answers to one call for help.
    public static let maximumIncidentEvents = 20
    /// The notices kept per user, the newest ones.
    public static let maximumNotices = 500
    /// The same of those about logins, and of those about the account. Whoever knows the password
    /// can cause as many as they like of the former: they are counted by themselves, so that these
    /// push out nothing that warns of them.
    public static let maximumNoticesOfAccount = 100
    /// Per user.
    public static let maximumChannels = 16
    /// Per user.
    public static let maximumPasskeys = 16
    /// Messages that wait for one channel; the least urgent and oldest make room.
    public static let maximumDeliveries = 100
    /// Messages that are being sent to channels at the same time.
    public static let maximumUnderway = 256
    /// Messages that a user may write per second, in all chats together.
    public static let maximumChatRate = 10
    /// Messages taken in one turn.
    public static let maximumBatch = 1_000
    /// The payload bytes after which a turn takes no more requests, and no more of everything else;
    /// a quarter of that for the latter if there are requests.
    static let maximumBatchBytes = 131_072
    /// Messages that wait for room at the broker. While this many wait, a turn takes
    /// ``throttledBatch`` messages at most, and does nothing that can wait.
    public static let maximumWaiting = 10_000
    public static let throttledBatch = 10
    /// The replies stored per device to recognise repeated requests; older ones are forgotten,
    /// several at a time.
    public static let maximumReplies = 1_000
    static let repliesAtATime = 100
    /// Timers that are handled in one turn.
    public static let maximumTimers = 100
    /// Connections and disconnections of devices that are handled in one turn.
    public static let maximumArrivals = 50

    public init() {}
}
