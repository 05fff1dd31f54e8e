public import Contract
public import Limits
public import MQTT

/// All settings of the page. `docs/configuration.md` lists the keys.
public struct WebSettings: Sendable {
    public var topics = TopicSpace()
    public var broker = Broker()
    public var server = Server()
    /// The tiles that browsers load; where there is a ``map``, its tiles.
    public var tiles: Tiles?
    /// The MBTiles file whose tiles are served here.
    public var map: String?
    public var phones = Phones()
    public var terms: Terms?
    public var limits = Limits()
    /// The files that the configuration names, by key.
    public internal(set) var files: [String: String] = [:]
    /// Whether the bridge sends links to whoever has forgotten the password.
    public var sendsLinks = false
    /// Who may create an account; the bridge decides, and the page says so.
    public var registration = RegistrationPolicy.open

    /// The file of the broker's certificate, whose end `/metrics` tells where the broker itself does
    /// not say.
    public var brokerCertificate: String?

    /// The token with which visitors watch the demo.
    public var demo: DeviceToken?
    /// The directories of the pages and of Leaflet, which a bundle of the pages has inside.
    public var pages = ""
    public var leaflet = "/usr/share/javascript/leaflet"

    /// Where the broker is.
    public struct Broker: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        public var tls: ConnectionOptions.TLS?

        public init() {}
    }

    /// The address on which the page listens, and the one under which browsers know it.
    public struct Server: Sendable {
        public var address = "127.0.0.1"
        /// 0: any free port.
        public var port = 8080
        /// As browsers write it: `https://kith.example.org`. If nil, the page goes by the host that
        /// the browser names.
        public var origin: String?
        /// Further names of the page, where it goes by them.
        public var hosts: [String] = []
        /// Whether a reverse proxy in front reports the client's address in `X-Forwarded-For`.
        public var isBehindProxy = false
        /// Whether the log names the address from which wrong credentials have come.
        public var logsWrongPasswords = false
        /// Whether the operator's token opens a page for people and devices.
        public var hasOperatorsPage = true
        /// With it the page speaks HTTPS by itself; nil: HTTP.
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
        /// West, south, east and north in degrees: outside there are none.
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

    /// The address at which phones reach the broker, for "add my phone".
    public struct Phones: Sendable {
        /// Nil: the host name by which the browser knows the page.
        public var host: String?
        /// Nil: the port on which the page itself reaches the broker.
        public var port: Int?
        public var tls = false

        public init() {}
    }

    /// The most that one party may take.
    public struct Limits: Sendable {
        public var connectionsOfAddress = 400
        public var connections = 4_000
        public var requestsOfAddress = Allowance(burst: 300, perSecond: 50)
        public var requestsOfVisitor = Allowance(burst: 200, perSecond: 20)
        /// For logging in and registering.
        public var attemptsOfAddress = Allowance(burst: 20, perSecond: 0.2)
        /// For opening links, and for looking at what everybody may see, without an account.
        public var linksOfAddress = Allowance(burst: 30, perSecond: 0.5)
        public var readingOfAddress = Allowance(burst: 40, perSecond: 2)
        /// Of these an address is new to logging in, and to links.
        public var firstAttempts = Allowance(burst: 3, perSecond: 1.0 / 60)
        /// For calls for help, besides all others: of an address, whose visitors that the broker has let in do not
        /// count, and of a visitor.
        public var callsOfAddress = Allowance(burst: 300, perSecond: 50)
        public var callsOfVisitor = Allowance(burst: 60, perSecond: 5)
        /// Visitors with a connection to the broker.
        public var visitors = 4_000
        /// Connections to the broker shared by visitors who are not logged in.
        public var guestConnections = 32
        public var streamsOfVisitor = 32
        /// Streams of events of strangers: of an address, also behind a proxy, and in all; and all
        /// streams, fewer than connections.
        public var streamsOfAddress = 150
        public var streamsOfStrangers = 1_500
        public var streams = 3_500
        public var filtersOfStream = 700
        /// Topics of one spectator, and those of all spectators.
        public var filtersOfSpectator = 24
        public var filtersOfSpectators = 20_000
        /// What spectators subscribe to, on the one connection that they share: less than the gate lets
        /// through; and of it what one address asks for that nobody has asked for yet.
        public var subscriptions = Allowance(burst: 30, perSecond: 1.8)
        public var subscriptionsOfAddress = Allowance(burst: 36, perSecond: 0.5)
        public var spectators = 3_000
        /// For all streams that a visitor has, or had within the last minute.
        public var filtersOfVisitor = 2_000
        /// For all guests on one shared connection; less than the gate lets through.
        public var messagesOfGuestConnection = Allowance(burst: 15, perSecond: 0.9)
        /// For all connections of guests together, in sum less than the gate lets through: for whoever
        /// wants to log in and has hardly tried yet, for others who want that, likewise for links, and for
        /// looking at what everybody may see.
        public var newcomers = Allowance(burst: 200, perSecond: 7)
        public var attempts = Allowance(burst: 60, perSecond: 3)
        public var newLinks = Allowance(burst: 145, perSecond: 2.5)
        public var links = Allowance(burst: 20, perSecond: 1.5)
        public var reading = Allowance(burst: 70, perSecond: 4)
        /// Unanswered requests per visitor; besides, as many calls for help.
        public var requestsWaiting = 32
        /// Bytes per request, as over MQTT.
        public var body = PayloadLimits.maximum
        public var guestBody = PayloadLimits.guest
        /// Bytes queued for a reader of events; a slower reader is disconnected, and reconnects.
        public var backlog = 1_048_576
        /// The same for all that a person reads, for all who read from an address, and for everybody;
        /// beyond it those with most unread are disconnected.
        public var unreadOfParty = 8_388_608
        public var unreadOfAddress = 16_777_216
        public var unread = 67_108_864
        /// Events kept per visitor for readers that reconnect.
        public var history = 256
        /// The bytes of those events.
        public var historySize = 524_288
        /// How long a request may take to be answered.
        public var answer = Duration.seconds(20)
        /// Courses that are computed at once: of a person, from an address, and in all; and likewise
        /// bytes of those that are uploaded.
        var courses = Places.Maximum(party: 2, address: 3, all: 16)
        var uploads = Places.Maximum(party: 16 << 20, address: 24 << 20, all: 64 << 20)
        /// How long one computation about what was uploaded may take.
        var computing = Duration.seconds(5)
        /// Files that are being written at once, such as exports: likewise.
        var downloads = Places.Maximum(party: 4, address: 16, all: 64)
        /// How long an unused visitor connection stays open.
        public var idle = Duration.seconds(60)
        /// The same of a device that had a reader of events and has none: the page was closed, unless
        /// it is being loaded again.
        public var leaving = Duration.seconds(5)
        /// The same of those on which metrics arrive, or the health is asked for.
        public var idleOfMonitors = Duration.seconds(300)
        /// How long the broker may take to send the metrics that it retains.
        public var metrics = Duration.milliseconds(800)
        public var heartbeat = Duration.seconds(15)
        /// How long the head of a request may take to arrive, and then its body.
        public var head = Duration.seconds(10)
        public var bodyTime = Duration.seconds(30)
        /// How long a browser may read nothing of what waits for it.
        public var writing = Duration.seconds(60)

        /// Those of the one connection that serves all spectators.
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
