/// Where and how to connect.
public struct ConnectionOptions: Sendable {
    /// The two versions of the protocol that Kith speaks.
    public enum Version: Sendable {
        case v311
        case v5
    }

    /// The message that the broker publishes if the connection breaks without a DISCONNECT.
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
        /// PEM file of the trusted certificate authorities; nil for those of the operating system.
        public var authorities: String?
        /// PEM files of the client's own certificate and key, if the broker requires them.
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
    /// Whether the broker discards the previous session on connect.
    public var cleanStart = true
    /// How long the broker keeps the session after the connection has ended, in seconds (MQTT 5).
    public var sessionExpiry: UInt32 = 0
    /// In seconds.
    public var keepAlive: Int32 = 30
    /// How many unacknowledged messages of QoS 1 may be in flight towards us.
    public var receiveMaximum: Int32 = 65535
    /// The most bytes of a packet to us, as announced to the broker (MQTT 5); nil for any.
    public var packetMaximum: UInt32?
    /// Whether plain messages are read and written in bulk, bypassing the library, which does
    /// everything else: this takes a tenth of the system calls. Not available over TLS. Messages
    /// that are unconfirmed when the connection breaks are not sent again: that is left to the
    /// owner.
    public var isBatched = false
    public var will: Will?
    public var tls: TLS?

    public init(host: String = "127.0.0.1", port: Int32 = 1883, clientID: String) {
        self.host = host
        self.port = port
        self.clientID = clientID
    }
}
