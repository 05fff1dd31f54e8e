public import Contract
public import Limits
public import MQTT

/// All settings of the page. `docs/configuration.md` lists the keys.
public struct WebSettings: Sendable {
    public var topics = TopicSpace()
    public var broker = Broker()
    public var server = Server()
    /// The tiles that browsers load; with a ``map``, its tiles.
    public var tiles: Tiles?
    /// The MBTiles file whose tiles are served here.
    public var map: String?
    public var phones = Phones()
    public var terms: Terms?
    public var limits = Limits()
    /// The files that the configuration names, by key.
    public internal(set) var files: [String: String] = [:]
    /// Whether the bridge sends links for forgotten passwords.
    public var sendsLinks = false
    /// The registration policy, enforced by the bridge and shown by the page.
    public var registration = RegistrationPolicy.open

    /// The file of the broker's certificate, whose expiry `/metrics` reports if the broker itself
    /// does not show it.
    public var brokerCertificate: String?

    /// Whether the bridge on this machine stands by while another decides.
    public var isStandingBy: @Sendable () -> Bool = { false }

    /// The token with which visitors watch the demo.
    public var demo: DeviceToken?
    /// The directories of the pages, and of the libraries that a bundle of the pages contains.
    public var pages = ""
    public var libraries = [
        "/usr/share/javascript/leaflet", "/usr/share/nodejs/qrcode-generator",
    ]

    /// The broker's address.
    public struct Broker: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        public var tls: ConnectionOptions.TLS?

        public init() {}
    }

    /// The address on which the page listens, and the one that browsers use.
    public struct Server: Sendable {
        public var address = "127.0.0.1"
        /// 0: any free port.
        public var port = 8080
        /// As browsers write it: `https://kith.example.org`. If nil, the page uses the host named
        /// by the browser.
        public var origin: String?
        /// Further host names of the page.
        public var hosts: [String] = []
        /// Whether a reverse proxy in front reports the client's address in `X-Forwarded-For`.
        public var isBehindProxy = false
        /// Whether the log contains the source addresses of wrong credentials.
        public var logsWrongPasswords = false
        /// Whether the operator's token opens a page for people and devices.
        public var hasOperatorsPage = true
        /// The certificate for HTTPS; nil: HTTP.
        public var certificate: Certificate?

        public init() {}

        public var isSecure: Bool { origin?.hasPrefix("https://") ?? false }
    }

    /// The files (PEM) of the page's own certificate.
    public struct Certificate: Sendable {
        /// With the authorities between it and the root.
        public var chain: String
        public var key: String
        /// The certificate of a private authority, for phones to fetch at `/ca.crt`.
        public var authority: String?

        public init(chain: String, key: String, authority: String?) {
            self.chain = chain
            self.key = key
            self.authority = authority
        }
    }

    /// The map tiles.
    public struct Tiles: Sendable {
        /// With placeholders `{z}`, `{x}` and `{y}`.
        public var url: String
        public var attribution: String
        public var minimumZoom: Int?
        public var maximumZoom: Int
        /// West, south, east and north in degrees: there are no tiles outside.
        public var bounds: [Double]?

        public init(url: String, attribution: String, maximumZoom: Int) {
            self.url = url
            self.attribution = attribution
            self.maximumZoom = maximumZoom
        }
    }

    /// The operator's texts, for people to read.
    public struct Terms: Sendable {
        /// Changes whenever one of the texts does.
        public var version: String
        /// The files of the terms and of the privacy statement: text, or HTML.
        public var terms: String?
        public var privacy: String?

        public init(version: String, terms: String?, privacy: String?) {
            self.version = version
            self.terms = terms
            self.privacy = privacy
        }
    }

    /// The broker's address for phones, for "add my phone".
    public struct Phones: Sendable {
        /// Nil: the page's host name in the browser.
        public var host: String?
        /// Nil: the broker port that the page itself uses.
        public var port: Int?
        public var tls = false

        public init() {}
    }

    /// The limits per party.
    public struct Limits: Sendable {
        public var connectionsOfAddress = 400
        public var connections = 4_000
        public var requestsOfAddress = Allowance(burst: 300, perSecond: 50)
        public var requestsOfVisitor = Allowance(burst: 200, perSecond: 20)
        /// For logging in and registering.
        public var attemptsOfAddress = Allowance(burst: 20, perSecond: 0.2)
        /// For opening links, and for reading public data, without an account.
        public var linksOfAddress = Allowance(burst: 30, perSecond: 0.5)
        public var readingOfAddress = Allowance(burst: 40, perSecond: 2)
        /// The number of these for which an address counts as new, for logging in and for links.
        public var firstAttempts = Allowance(burst: 3, perSecond: 1.0 / 60)
        /// For calls for help, in addition to all others: per address, without visitors admitted by
        /// the broker, and per visitor.
        public var callsOfAddress = Allowance(burst: 300, perSecond: 50)
        public var callsOfVisitor = Allowance(burst: 60, perSecond: 5)
        /// Visitors with a connection to the broker.
        public var visitors = 4_000
        /// Connections to the broker shared by visitors who are not logged in.
        public var guestConnections = 32
        public var streamsOfVisitor = 32
        /// Strangers' event streams: per address, also behind a proxy, and in total; and all
        /// streams, fewer than connections.
        public var streamsOfAddress = 150
        public var streamsOfStrangers = 1_500
        public var streams = 3_500
        public var filtersOfStream = 700
        /// Topics of one spectator, and of all spectators.
        public var filtersOfSpectator = 24
        public var filtersOfSpectators = 20_000
        /// Spectators' subscriptions on their single shared connection: less than the gate permits;
        /// and the part of one address for topics that are not subscribed yet.
        public var subscriptions = Allowance(burst: 30, perSecond: 1.8)
        public var subscriptionsOfAddress = Allowance(burst: 36, perSecond: 0.5)
        public var spectators = 3_000
        /// For all streams that a visitor has, or had within the last minute.
        public var filtersOfVisitor = 2_000
        /// For all guests on one shared connection; less than the gate permits.
        public var messagesOfGuestConnection = Allowance(burst: 15, perSecond: 0.9)
        /// For all guest connections together, in sum less than the gate permits: for logins with
        /// few previous attempts, for other logins, likewise for links, and for reading public
        /// data.
        public var newcomers = Allowance(burst: 200, perSecond: 7)
        public var attempts = Allowance(burst: 60, perSecond: 3)
        public var newLinks = Allowance(burst: 145, perSecond: 2.5)
        public var links = Allowance(burst: 20, perSecond: 1.5)
        public var reading = Allowance(burst: 70, perSecond: 4)
        /// Unanswered requests per visitor; in addition, the same number of calls for help.
        public var requestsWaiting = 32
        /// Bytes per request, as over MQTT.
        public var body = PayloadLimits.maximum
        public var guestBody = PayloadLimits.guest
        /// Bytes queued for an event reader; a slower reader is disconnected, and reconnects.
        public var backlog = 1_048_576
        /// The same per person, per address, and in total; beyond it the readers with the most
        /// unread bytes are disconnected.
        public var unreadOfParty = 8_388_608
        public var unreadOfAddress = 16_777_216
        public var unread = 67_108_864
        /// Events kept per visitor for readers that reconnect.
        public var history = 256
        /// The size of those events in bytes.
        public var historySize = 524_288
        /// The maximum time to answer a request.
        public var answer = Duration.seconds(20)
        /// Courses computed concurrently: per person, per address, and in total; and likewise
        /// uploaded bytes.
        var courses = Places.Maximum(party: 2, address: 3, all: 16)
        var uploads = Places.Maximum(party: 16 << 20, address: 24 << 20, all: 64 << 20)
        /// The maximum duration of one computation for an upload.
        var computing = Duration.seconds(5)
        /// Files written concurrently, such as exports: likewise.
        var downloads = Places.Maximum(party: 4, address: 16, all: 64)
        /// The time that an unused visitor connection stays open.
        public var idle = Duration.seconds(60)
        /// The same for a device that had an event reader and no longer has one: the page was
        /// closed, unless it is being reloaded.
        public var leaving = Duration.seconds(5)
        /// The same for connections for metrics, or health queries.
        public var idleOfMonitors = Duration.seconds(300)
        /// The maximum time for the broker to send its retained metrics.
        public var metrics = Duration.milliseconds(800)
        public var heartbeat = Duration.seconds(15)
        /// The maximum time to receive a request's head, and then its body.
        public var head = Duration.seconds(10)
        public var bodyTime = Duration.seconds(30)
        /// The maximum time that a browser may read none of its waiting data.
        public var writing = Duration.seconds(60)

        /// The limits of the single connection that serves all spectators.
        var ofSpectators: Limits {
            var limits = self
            limits.streamsOfVisitor = spectators
            limits.requestsWaiting = spectators
            limits.filtersOfVisitor = filtersOfSpectators
            return limits
        }

        public init() {}
    }

    public init() {}
}
