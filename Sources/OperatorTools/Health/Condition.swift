public import Contract
public import Tracking

/// What there is of Kith on this machine, as far as it can be looked up without changing anything.
/// It holds no name of a person, no position and no secret.
public struct Condition: Hashable, Sendable {
    /// When it was looked up.
    public var now: Timestamp
    /// This program.
    public var program: Build
    public var directory: DataDirectory
    public var database: Database?
    public var bridge: Bridge?
    public var broker: Broker
    public var page: Page
    public var certificate: Certificate?
    /// Whether there is a file for it that is none.
    public var isCertificateUnreadable = false
    public var settings: Settings
    public var machine: Machine
    public var lastBackup: Timestamp?
    /// Whether there is a note of the last backup, and it cannot be read.
    public var isLastBackupUnreadable = false
    /// Whether this is the service that Debian's package has installed.
    public var isPackaged = false
    /// The name or address by which phones come; nil if none do.
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

    /// Names commands as an operator of this installation types them.
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
        /// Nil in a build for development.
        public var commit: String?

        public init(version: String, commit: String?) {
            self.version = version
            self.commit = commit
        }

        public var text: String { "\(version) (\(commit ?? "development"))" }
    }

    /// Where the data is, and who may look into it.
    public struct DataDirectory: Hashable, Sendable {
        public var path: String
        public var isThere: Bool
        /// The user that it belongs to, and the one that asks.
        public var owner: String
        public var asker: String
        /// Whether the one that asks may see all of it.
        public var isReadable: Bool
        public var mode: Int
        /// Files of Kith's in it that belong to other users than the directory.
        public var foreignFiles: [String] = []
        /// Those that everybody may read.
        public var openFiles: [String] = []
        /// Whether a bridge has been here, so that there should be a database.
        public var isUsed = false
        /// Tokens without anything in them, as a power cut leaves them.
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
        /// The programs, but for the bridge, that have locked it for writing.
        public var writers: [String] = []
        /// Copies that were made before upgrades and restores, and when.
        public var copies: [Copy] = []

        public struct Copy: Hashable, Sendable {
            public var name: String
            public var madeAt: Timestamp
            /// Whether it is the database that a restore has put aside.
            public var isFromRestore = false
        }
    }

    /// One that runs.
    public struct Bridge: Hashable, Sendable {
        public var process: Int64?
        public var since: Timestamp?
        public var build: Build?
        /// The user that runs it.
        public var user: String?
        /// Whether the program's file was replaced since.
        public var isReplaced = false
        /// As `kith up --for-phones` was told.
        public var phonesName: String?
        /// Whether it is `kith up`, which serves the page as well.
        public var servesPage = false
    }

    public struct Broker: Hashable, Sendable {
        public var address: String
        public var isReachable: Bool
        /// What the bridge has said of itself there: `online`, `offline`, `degraded`; nil if nothing
        /// is known.
        public var status: String?
        public var reason: String?
        /// Whether it says that it stores calls for help all the same.
        public var storesCalls = false
        /// Ports that phones need and nobody listens on.
        public var closedPorts: [Int] = []
        /// Whether the plugin's file was replaced since the broker loaded it.
        public var isPluginReplaced = false
        /// Whether Mosquitto's own files were, by an update.
        public var isMosquittoReplaced = false
        /// Whether it accepts connections and then says nothing.
        public var isSilent = false
        /// Whether it does not take the operator's token.
        public var refusesOperator = false
        /// The version of its gate, as the bridge tells it if it is not the bridge's own.
        public var otherGate: String?
        /// What the bridge says that an operator has to look into.
        public var concerns: [Concern] = []
        /// Whether the bridge has answered over it that it can store, calls for help at least; nil if it was not asked.
        public var bridgeAnswers: Bool?
    }

    public struct Page: Hashable, Sendable {
        /// As browsers write it.
        public var address: String
        public var isListening: Bool
        /// Whether what listens there is another program; false if that is not known.
        public var isOther = false
        /// Its name, and its process, if they may be seen.
        public var other: String?
        /// Whether others than this machine and its own network reach it, as far as the address
        /// tells.
        public var isPublic: Bool

        public init(address: String, isListening: Bool, isPublic: Bool) {
            self.address = address
            self.isListening = isListening
            self.isPublic = isPublic
        }
    }

    /// The one in the file.
    public struct Certificate: Hashable, Sendable {
        public var names: [String]
        public var endsAt: Timestamp
        /// Ports on which another one is served: it was renewed, and not loaded since.
        public var strangePorts: [Int] = []
        /// Whether the key beside it is that of another one.
        public var isKeyForeign = false

        /// Whether it is for this name, by RFC 9525: `*.example.org` is for one more label.
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
        /// What is wrong with the configuration; nil if nothing is.
        public var complaint: String?
        /// What is wrong with files of the page's, which it runs without.
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
        /// Why this Mosquitto cannot load it: `for want of mosquitto_log_printf`, `file too short`.
        public var pluginFault: String?
    }
}
