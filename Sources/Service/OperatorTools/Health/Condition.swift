public import Contract
public import Store
public import Tracking

/// The state of Kith on this machine, as far as it can be inspected without changing anything. It
/// contains no person's name, no position and no secret.
public struct Condition: Hashable, Sendable {
    /// When it was inspected.
    public var now: Timestamp
    /// This program.
    public var program: Build
    public var directory: DataDirectory
    public var database: Database?
    public var bridge: Bridge?
    public var broker: Broker
    public var page: Page
    public var certificate: Certificate?
    /// Whether its file exists but is not a certificate.
    public var isCertificateUnreadable = false
    public var settings: Settings
    public var machine: Machine
    public var lastBackup: Timestamp?
    /// Whether the record of the last backup exists but cannot be read.
    public var isLastBackupUnreadable = false
    /// Whether this is the service installed by Debian's package.
    public var isPackaged = false
    /// The name or address that phones connect to; nil if none do.
    public var phonesName: String?
    /// Whether this machine finds an address for that name.
    public var isPhonesNameKnown = true

    public init(
        now: Timestamp, program: Build, directory: DataDirectory, database: Database?,
        bridge: Bridge?, broker: Broker, page: Page, certificate: Certificate?,
        settings: Settings, machine: Machine, lastBackup: Timestamp?
    ) {
        self.now = now
        self.program = program
        self.directory = directory
        self.database = database
        self.bridge = bridge
        self.broker = broker
        self.page = page
        self.certificate = certificate
        self.settings = settings
        self.machine = machine
        self.lastBackup = lastBackup
    }

    /// Returns commands as an operator of this installation types them.
    public func typed(_ text: String) -> String {
        guard isPackaged else { return text }
        return text.replacing(
            /\bkith (?=(?:backup|check-config|compact|doctor|emergency|restore|test|user)\b)/
        ) {
            _ in "kithctl "
        }
    }

    public struct Build: Hashable, Sendable {
        public var version: String
        /// Nil in a development build.
        public var commit: String?

        public init(version: String, commit: String?) {
            self.version = version
            self.commit = commit
        }

        public var text: String { "\(version) (\(commit ?? "development"))" }
    }

    /// The location of the data, and the access to it.
    public struct DataDirectory: Hashable, Sendable {
        public var path: String
        public var isThere: Bool
        /// The directory's owner, and the user who runs this command.
        public var owner: String
        public var asker: String
        /// Whether that user may read all of it.
        public var isReadable: Bool
        public var mode: Int
        /// Kith's files in it that belong to other users than the directory.
        public var foreignFiles: [String] = []
        /// Files that everyone may read.
        public var openFiles: [String] = []
        /// Whether a bridge has run here, so that there should be a database.
        public var isUsed = false
        /// Empty token files, as left by a power cut.
        public var emptyFiles: [String] = []
        /// Bytes; nil if not known.
        public var free: Int64?
        public var total: Int64?
    }

    public struct Database: Hashable, Sendable {
        public var bytes: Int64
        public var logBytes: Int64
        /// Nil if it cannot be read.
        public var schema: Int64?
        public var newestSchema: Int64
        public var accounts: Int64?
        public var groups: Int64?
        public var isWritable: Bool
        /// Whether it is on a PostgreSQL server.
        public var isOnServer = false
        /// The bridge that decides on that, or decided last.
        public var decider: Decider?
        /// What this machine lacks of what all machines of an installation share: `tokens`, `keys`.
        public var foreign: [String] = []
        /// Why that server cannot be used; nil if it can.
        public var failure: String?
        /// The programs other than the bridge that have locked it for writing.
        public var writers: [String] = []
        /// Copies made before upgrades and restores, with their times.
        public var copies: [Copy] = []

        public struct Copy: Hashable, Sendable {
            public var name: String
            public var madeAt: Timestamp
            /// Whether it is the database that a restore has replaced.
            public var isFromRestore = false
        }
    }

    /// A running bridge.
    public struct Bridge: Hashable, Sendable {
        public var process: Int64?
        public var since: Timestamp?
        public var build: Build?
        /// The user that runs it.
        public var user: String?
        /// Whether it stands by while another bridge decides.
        public var isStandingBy = false
        /// Whether the program's file was replaced since its start.
        public var isReplaced = false
        /// The name given to `kith up --for-phones`.
        public var phonesName: String?
        /// Whether it is `kith up`, which also serves the page.
        public var servesPage = false
    }

    public struct Broker: Hashable, Sendable {
        public var address: String
        public var isReachable: Bool
        /// The bridge's status there: `online`, `offline`, `degraded`; nil if unknown.
        public var status: String?
        public var reason: String?
        /// Whether it reports that it still stores calls for help.
        public var storesCalls = false
        /// Ports that phones need and that have no listener.
        public var closedPorts: [Int] = []
        /// Whether the plugin's file was replaced since the broker loaded it.
        public var isPluginReplaced = false
        /// Whether an update replaced Mosquitto's own files.
        public var isMosquittoReplaced = false
        /// Whether it accepts connections but does not answer.
        public var isSilent = false
        /// Whether it refuses the operator's token.
        public var refusesOperator = false
        /// The version of its gate, reported by the bridge if it differs from the bridge's own.
        public var otherGate: String?
        /// The bridge's concerns for the operator.
        public var concerns: [Concern] = []
        /// Whether the bridge has answered over it that it can store at least calls for help; nil
        /// if not asked.
        public var bridgeAnswers: Bool?
    }

    public struct Page: Hashable, Sendable {
        /// As browsers write it.
        public var address: String
        public var isListening: Bool
        /// Whether another program listens there; false if unknown.
        public var isOther = false
        /// The other program's name and process, if visible.
        public var other: String?
        /// Whether others than this machine and its own network reach it, judging by the address.
        public var isPublic: Bool

        public init(address: String, isListening: Bool, isPublic: Bool) {
            self.address = address
            self.isListening = isListening
            self.isPublic = isPublic
        }
    }

    /// The certificate in the file.
    public struct Certificate: Hashable, Sendable {
        public var names: [String]
        public var endsAt: Timestamp
        /// Ports that serve another certificate: this one was renewed, and not loaded since.
        public var strangePorts: [Int] = []
        /// Whether the key beside it belongs to another certificate.
        public var isKeyForeign = false

        /// Returns whether it is for this name, by RFC 9525: `*.example.org` is for one more label.
        public func isFor(_ name: String) -> Bool {
            let asked = name.lowercased()
            let parent = asked.firstIndex(of: ".").map { "*\(asked[$0...])" }
            return names.map { $0.lowercased() }.contains { $0 == asked || $0 == parent }
        }
    }

    public struct Settings: Hashable, Sendable {
        public var registration: RegistrationPolicy
        public var sendsMail: Bool
        /// `disk.warnBelow`, in bytes.
        public var warnBelow: Int64
        /// The fault in the configuration; nil if there is none.
        public var complaint: String?
        /// Faults in files that the page can run without.
        public var faults: [Concern: String] = [:]

        public init(
            registration: RegistrationPolicy, sendsMail: Bool, warnBelow: Int64, complaint: String?
        ) {
            self.registration = registration
            self.sendsMail = sendsMail
            self.warnBelow = warnBelow
            self.complaint = complaint
        }
    }

    public struct Machine: Hashable, Sendable {
        /// Nil if it is not known.
        public var isClockSynchronised: Bool?
        /// Mosquitto's version; nil if there is none here.
        public var mosquitto: String?
        /// Whether the broker is to run here.
        public var needsMosquitto: Bool
        /// Nil if the plugin is not beside this program.
        public var plugin: String?
        /// Why this Mosquitto cannot load it: `missing mosquitto_log_printf`, `file too short`.
        public var pluginFault: String?
    }
}
