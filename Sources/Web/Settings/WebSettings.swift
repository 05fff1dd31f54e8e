public import Contract
public import MQTT

/// Everything about the page that can be set. `docs/configuration.md` lists the keys.
public struct WebSettings: Sendable {
    public var topics = TopicSpace()
    public var broker = Broker()
    public var server = Server()
    public var tiles: Tiles?
    public var phones = Phones()
    public var limits = Limits()
    /// Whose eyes the demo is watched with.
    public var demo: DeviceToken?
    /// Where the pages lie, and Leaflet.
    public var pages = ""
    public var leaflet = "/usr/share/javascript/leaflet"

    /// Where the broker is.
    public struct Broker: Sendable {
        public var host = "127.0.0.1"
        public var port: Int32 = 1883
        public var tls: ConnectionOptions.TLS?

        public init() {}
    }

    /// Where it listens, and as what it is known.
    public struct Server: Sendable {
        public var address = "127.0.0.1"
        /// 0: one that is free.
        public var port = 8080
        /// As browsers write it: `https://kith.example.org`. Without it the page goes by what
        /// browsers call it.
        public var origin: String?
        /// Whether a proxy stands in front that tells in `X-Forwarded-For` who asks.
        public var isBehindProxy = false

        public init() {}

        public var isSecure: Bool { origin?.hasPrefix("https://") ?? false }
    }

    /// Pictures of the map.
    public struct Tiles: Sendable {
        /// With `{z}`, `{x}` and `{y}`.
        public var url: String
        public var attribution: String
        public var maximumZoom: Int

        public init(url: String, attribution: String, maximumZoom: Int) {
            self.url = url
            self.attribution = attribution
            self.maximumZoom = maximumZoom
        }
    }

    /// Where phones reach the broker: what "add my phone" writes.
    public struct Phones: Sendable {
        /// Nil: the name by which the browser knows the page.
        public var host: String?
        /// Nil: where the page itself reaches it.
        public var port: Int?
        public var tls = false

        public init() {}
    }

    /// How much one party may take.
    public struct Limits: Sendable {
        public var connectionsOfAddress = 100
        public var connections = 4_000
        public var requestsOfAddress = Allowance(burst: 300, perSecond: 50)
        public var requestsOfVisitor = Allowance(burst: 200, perSecond: 20)
        /// To log in or to register.
        public var attemptsOfAddress = Allowance(burst: 20, perSecond: 0.2)
        /// Visitors with a connection to the broker.
        public var visitors = 4_000
        /// Connections to the broker that people share who are not logged in.
        public var guestLines = 32
        public var streamsOfVisitor = 32
        public var filtersOfStream = 700
        /// Of all streams that a visitor has or had a minute ago.
        public var filtersOfVisitor = 2_000
        /// Of the people on one such line together: less than the gate lets through.
        public var messagesOfGuestLine = Allowance(burst: 15, perSecond: 0.9)
        /// Of all lines of guests; the same.
        public var messagesOfGuests = Allowance(burst: 400, perSecond: 18)
        /// Requests of a visitor without their answer.
        public var requestsWaiting = 32
        /// Bytes of a request, as over MQTT.
        public var body = PayloadLimits.maximum
        public var guestBody = PayloadLimits.guest
        /// Bytes that wait for a reader of events; who is slower is disconnected, and comes back.
        public var backlog = 1_048_576
        /// Events of a visitor that are kept for who comes back.
        public var journal = 256
        /// Until a request is answered.
        public var answer = Duration.seconds(20)
        /// Until a visitor's connection is closed that nobody uses.
        public var idle = Duration.seconds(60)
        public var heartbeat = Duration.seconds(15)
        /// Until the head of a request is there, and then its body.
        public var head = Duration.seconds(10)
        public var bodyTime = Duration.seconds(30)
        /// Without anything of what waits for a browser being taken.
        public var writing = Duration.seconds(60)

        public init() {}
    }

    public init() {}
}
