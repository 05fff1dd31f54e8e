public import Contract
public import Limits

/// The gate's settings and limits.
public struct GateSettings: Sendable {
    public var topics: TopicSpace
    public var limits = Limits()
    /// Whether other clients must wait until the bridge has subscribed: before that, the broker
    /// would acknowledge their messages and drop them.
    public var awaitsBridge = false
    /// What the gate says of itself to the bridge, which compares it with its own.
    public var version = kithVersionText

    public init(topics: TopicSpace = TopicSpace()) { self.topics = topics }

    /// How much of the broker's capacity one party may use.
    public struct Limits: Sendable {
        /// Connections of a person's devices; as many of all observers that a person has made, of
        /// all programs with the token for metrics, of a service, and of those who look at one link.
        public var connectionsOfUser = 32
        /// Connections of all who look at any of a person's links.
        public var connectionsOfViewers = 128
        /// Longer than the broker keeps sessions without a connection.
        public var memoryForSessions = Duration.seconds(8 * 86_400)
        public var waiting = Waiting.Limits()
        /// Not counting guests from this machine, where the page makes requests for its visitors.
        public var guests = 2_000
        public var guestsOfAddress = 200
        /// A guest that has been silent for this long makes room for others if places are short.
        public var patienceWithGuests = Duration.seconds(10)
        /// Bytes per payload that a guest publishes.
        public var guestPayload = PayloadLimits.guest
        public var guestMessages = Allowance(burst: 20, perSecond: 1)
        /// For all guests from one address.
        public var addressMessages = Allowance(burst: 500, perSecond: 20)
        /// For a device, over all its connections; a large message counts as several. A device that
        /// exceeds it is paused: the broker reads nothing more from that connection until some of
        /// the allowance is available again. The number of messages it may receive at once by MQTT
        /// 5 (`max_inflight_messages`) is smaller.
        public var deviceMessages = Allowance(burst: 1_000, perSecond: 500)
        /// The part of it charged for each filter of a SUBSCRIBE or UNSUBSCRIBE, …
        public var costOfFilter = 0.5
        /// … for a filter that covers all branches, since all rows of the topic table are
        /// examined, …
        public var costOfBroadFilter = 5.0
        /// … and for each retained message that a filter matches.
        public var costOfRetained = 0.1
        /// For a device's requests, which have an allowance of their own; more than the page lets
        /// through.
        public var deviceRequests = Allowance(burst: 200, perSecond: 40)
        public var deviceConnections = Allowance(burst: 200, perSecond: 50)
        /// The allowance for all devices of a person, as a multiple of that of one device.
        public var devicesOfPerson = 2.0
        /// The number of queued messages, examined when a session is resumed, that counts as one
        /// further connection.
        public var waitingOfOne = 250.0
        /// For all devices together; what is left of it is shared among those that are paused.
        public var everybodysMessages = Allowance(burst: 350, perSecond: 3_500)
        /// How much a connection that has used up its allowance may still send before it is paused,
        /// or if it cannot be; beyond that it is closed without an acknowledgement. It is also the
        /// most that a device can owe of anything but messages, …
        public var overdraft = 1_000.0
        /// … and of messages this: some arrays of fixes may have arrived before a pause holds.
        public var debt = 3_000.0
        /// How much a connection may send beyond what the device can owe, which is never paid for:
        /// reconnecting gives no new overdraft.
        public var overdraftInDebt = 10.0
        /// How much of an allowance must be available before a paused connection resumes.
        public var leastToResume = 10.0
        /// Bytes received that no callback shows: for a device, over all its connections, and for
        /// each connection of a guest. They include a part of the largest packet.
        public var unseenBytes = Allowance(burst: 294_912, perSecond: 4_096)
        public var unseenBytesOfGuest = Allowance(burst: 16_384, perSecond: 512)
        /// How many of the bytes beyond that allowance count as one message.
        public var unseenBytesOfOne = 64.0
        /// Bytes queued at the broker for a connection: with more than this for the given time it
        /// is closed, …
        public var heldForOne = 4_194_304
        public var patienceWithReaders = Duration.seconds(30)
        /// … and if more than this is queued for all connections together, those with more than a
        /// small part of it are closed at once.
        public var heldForAll = 67_108_864
        public var smallPart = 262_144
        /// Accepted connections, for everybody. A client beyond this gets no answer and reconnects
        /// after a pause of its own choice, so that phones that all come back at once spread out by
        /// themselves.
        public var arrivals = Allowance(burst: 100, perSecond: 1_000)
        /// Bytes per payload; a larger one is refused, without closing the connection.
        public var payload = PayloadLimits.maximum
        /// Bytes of payload that count as one message.
        public var bytesOfOne = PayloadLimits.oneMessage
        /// How many messages refused at the beginning of what waits for a session that comes back may
        /// have taken all places in flight: a client that takes fewer at once is not expected.
        public var placesLost = 5
        /// The topics of which a device is told with each connection that it does not get their
        /// messages, because they are larger than it takes.
        public var untakenTold = 50
        /// Refusals that a device is told of; further ones are only counted.
        public var refusalsTold = Allowance(burst: 50, perSecond: 5)

        public init() {}

        /// Indexed by ``Meters/Kind``.
        var ofDevice: [Allowance] {
            [deviceMessages, deviceRequests, deviceConnections, unseenBytes]
        }
        var ofPerson: [Allowance] {
            ofDevice.map {
                Allowance(
                    burst: $0.burst * devicesOfPerson, perSecond: $0.perSecond * devicesOfPerson)
            }
        }
    }
}
