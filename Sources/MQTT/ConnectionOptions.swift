/// Where and how a connection is made.
public struct ConnectionOptions: Sendable {
    /// The two versions of the protocol that Kith speaks.
    public enum Version: Sendable {
        case v311
        case v5
    }

    /// What the broker publishes when the connection breaks without a goodbye.
    public struct Will: Sendable {
        public var topic: String
        public var payload: [UInt8]
        public var qos: QoS
        public var retain: Bool

        public init(topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, retain: Bool = true) {
            self.topic = topic
            self.payload = payload
            self.qos = qos
            self.retain = retain
        }
    }

    /// TLS 1.2 or newer.
    public struct TLS: Sendable {
        /// PEM file of the authorities to trust; nil: those of the operating system.
        public var authorities: String?
        /// PEM files of the client's own certificate and key, where the broker wants them.
        public var certificate: String?
        public var key: String?

        public init(authorities: String? = nil, certificate: String? = nil, key: String? = nil) {
            self.authorities = authorities
            self.certificate = certificate
            self.key = key
        }
    }

    public var host: String
    public var port: Int32
    public var clientID: String
    public var version: Version = .v5
    public var username: String?
    public var password: String?
    /// Whether the broker forgets the session at connect.
    public var cleanStart = true
    /// How long the broker keeps the session after the connection ended, in seconds (MQTT 5).
    public var sessionExpiry: UInt32 = 0
    /// In seconds.
    public var keepAlive: Int32 = 30
    /// How many messages of QoS 1 may be in flight towards us, unacknowledged.
    public var receiveMaximum: Int32 = 65535
    /// Whether plain messages are read and written in bulk, around the library, which does all
    /// else: a tenth of the system calls. Not over TLS. What is not confirmed when the connection
    /// breaks is not sent again: that is left to the owner.
    public var isExpress = false
    public var will: Will?
    public var tls: TLS?

    public init(host: String = "127.0.0.1", port: Int32 = 1883, clientID: String) {
        self.host = host
        self.port = port
        self.clientID = clientID
    }
}
