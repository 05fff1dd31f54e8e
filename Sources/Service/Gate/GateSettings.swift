public import Contract
public import Limits

/// The gate's settings and limits.
public struct GateSettings: Sendable {
    public var topics: TopicSpace
    public var limits = Limits()
    /// Whether other clients must wait until the bridge has subscribed: before that, the broker
    /// would acknowledge their messages and drop them.
    public var awaitsBridge = false
    /// Whether acknowledgements wait for the bridge's commit.
    public var holdsAcknowledgements = false
    /// Distinguishes this run of the broker from earlier ones; without dots.
    public var run = "0"
    /// The gate's version, which the bridge compares with its own.
    public var version = kithVersionText

    public init(topics: TopicSpace = TopicSpace()) { self.topics = topics }

    /// The parts of the broker's capacity that one party may use.
    public struct Limits: Sendable {
        /// Connections of a person's devices; the same number for all observers created by a
        /// person, for all programs with the metrics token, for a service, and for the viewers of
        /// one link.
        public var connectionsOfUser = 32
        /// Connections of all viewers of a person's links.
        public var connectionsOfViewers = 128
        /// Longer than the broker keeps sessions without a connection.
        public var memoryForSessions = Duration.seconds(8 * 86_400)
        public var waiting = Waiting.Limits()
        /// Not counting guests from this machine, where the page makes requests for its visitors.
        public var guests = 2_000
        public var guestsOfAddress = 200
        /// A guest that has been silent for this long makes room for others if places are scarce.
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
        /// For a device's requests, which have their own allowance; more than the page permits.
        public var deviceRequests = Allowance(burst: 200, perSecond: 40)
        public var deviceConnections = Allowance(burst: 200, perSecond: 50)
        /// The allowance for all of a person's devices, as a multiple of one device's.
        public var devicesOfPerson = 2.0
        /// The number of queued messages, examined when a session is resumed, that counts as one
        /// further connection.
        public var waitingOfOne = 250.0
        /// For all devices together; the rest is shared among paused devices.
        public var everybodysMessages = Allowance(burst: 350, perSecond: 3_500)
        /// The amount that a connection with a used-up allowance may still send before it is
        /// paused, or if it cannot be; beyond that it is closed without an acknowledgement. It is
        /// also the maximum that a device can owe of anything but messages, …
        public var overdraft = 1_000.0
        /// … and this is the maximum for messages: some arrays of fixes may have arrived before a
        /// pause takes effect.
        public var debt = 3_000.0
        /// The amount that a connection may send beyond the device's maximum debt, which is never
        /// paid for: reconnecting gives no new overdraft.
        public var overdraftInDebt = 10.0
        /// The part of an allowance that must be available before a paused connection resumes.
        public var leastToResume = 10.0
        /// Received bytes not shown by callbacks: for a device, over all its connections, and for
        /// each connection of a guest. They include part of the largest packet.
        public var unseenBytes = Allowance(burst: 294_912, perSecond: 4_096)
        public var unseenBytesOfGuest = Allowance(burst: 16_384, perSecond: 512)
        /// The number of bytes beyond that allowance that count as one message.
        public var unseenBytesOfOne = 64.0
        /// Bytes queued at the broker for a connection: with more than this for the given time it
        /// is closed, …
        public var heldForOne = 4_194_304
        public var patienceWithReaders = Duration.seconds(30)
        /// … and if more than this is queued for all connections together, those with more than a
        /// small part of it are closed immediately.
        public var heldForAll = 67_108_864
        public var smallPart = 262_144
        /// Accepted connections, for all clients. A client beyond this gets no answer and
        /// reconnects after a pause of its own choice, so that phones that all reconnect together
        /// spread out.
        public var arrivals = Allowance(burst: 100, perSecond: 1_000)
        /// Bytes per payload; a larger one is refused, without closing the connection.
        public var payload = PayloadLimits.maximum
        /// Bytes of payload that count as one message.
        public var bytesOfOne = PayloadLimits.oneMessage
        /// The number of refused messages at the head of a resumed session's queue that may have
        /// taken all in-flight places: no client is expected to allow fewer.
        public var placesLost = 5
        /// The maximum number of topics per connection for which a device is notified that their
        /// messages are too large for it.
        public var untakenTold = 50
        /// Refusals reported to a device; further ones are only counted.
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
