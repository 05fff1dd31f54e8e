public import Contract

/// What the gate is started with, and its bounds.
public struct GateSettings: Sendable {
    public var databasePath: String
    public var topics: TopicSpace
    public var limits = Limits()
    /// Whether nobody else comes in before the bridge has subscribed: until then the broker would
    /// acknowledge what they send, and drop it.
    public var awaitsBridge = false

    public init(databasePath: String, topics: TopicSpace = TopicSpace()) {
        self.databasePath = databasePath
        self.topics = topics
    }

    /// How much of the broker one party may take.
    public struct Limits: Sendable {
        public var connectionsOfUser = 32
        /// Longer than the broker keeps sessions without a connection.
        public var memoryForSessions = Duration.seconds(8 * 86_400)
        public var waiting = Waiting.Limits()
        /// Apart from those of this machine, where the page asks for everybody.
        public var guests = 500
        public var guestsOfAddress = 50
        /// A guest who has said nothing for so long makes room, when places are short.
        public var patienceWithGuests = Duration.seconds(10)
        /// Bytes of what a guest publishes.
        public var guestPayload = PayloadLimits.guest
        public var guestMessages = Allowance(burst: 20, perSecond: 1)
        /// Of all guests of an address.
        public var addressMessages = Allowance(burst: 500, perSecond: 20)
        /// Of a device, whatever connections it has; a large message counts for several. Who
        /// sends more is paused: the broker reads nothing more from that connection until there
        /// is something left again. What it receives at once by MQTT 5 (`max_inflight_messages`)
        /// is less.
        public var deviceMessages = Allowance(burst: 1_000, perSecond: 500)
        /// Of that, for each filter of a SUBSCRIBE or UNSUBSCRIBE …
        public var costOfFilter = 0.5
        /// … for one that stands for all areas, since every row of the table is looked at …
        public var costOfBroadFilter = 5.0
        /// … and for each retained message that a filter brings.
        public var costOfRetained = 0.1
        /// A device's requests, which nothing else uses up; more than a page lets through.
        public var deviceRequests = Allowance(burst: 200, perSecond: 40)
        public var deviceConnections = Allowance(burst: 200, perSecond: 50)
        /// Of all devices of a person: so many times what one of them may.
        public var devicesOfPerson = 2.0
        /// Of waiting messages that are looked through when a session is taken up, so many count
        /// for one connection more.
        public var waitingOfOne = 250.0
        /// What all devices together may send; what is left of it goes to those who are paused.
        public var everybodysMessages = Allowance(burst: 350, perSecond: 3_500)
        /// So much may come of a connection that has used up its allowance, before it is paused
        /// or where it cannot be; then it is ended unacknowledged. A device owes no more of anything
        /// but its messages either, …
        public var overdraft = 1_000.0
        /// … and of those so many: some arrays of fixes may have come before a pause holds.
        public var debt = 3_000.0
        /// So much of what comes of a connection is never paid, when the device owes as much as it
        /// can: to come again gives no new overdraft.
        public var overdraftInDebt = 10.0
        /// What there is of an allowance when a paused connection goes on.
        public var leastToResume = 10.0
        /// Bytes that came and that no callback has shown: of a device, whatever connections it has,
        /// and of each of a guest's.
        /// A part of the largest packet is among them.
        public var unseenBytes = Allowance(burst: 294_912, perSecond: 4_096)
        public var unseenBytesOfGuest = Allowance(burst: 16_384, perSecond: 512)
        /// Of those beyond it so many count for a message.
        public var unseenBytesOfOne = 64.0
        /// Bytes that wait at the broker for a connection: with more than this for so long it is
        /// ended …
        public var heldForOne = 4_194_304
        public var patienceWithReaders = Duration.seconds(30)
        /// … and when more than this waits for everybody, those with more than a small part of
        /// it are ended at once.
        public var heldForAll = 67_108_864
        public var smallPart = 262_144
        /// Connections let in, of everybody. Who comes beyond it is not answered and comes again
        /// after a pause of its own: phones that all come back at once spread by themselves.
        public var arrivals = Allowance(burst: 100, perSecond: 1_000)
        /// Bytes of a payload; what is larger is refused, and ends no connection.
        public var payload = PayloadLimits.maximum
        /// Bytes of a payload that count for one message.
        public var bytesOfOne = PayloadLimits.oneMessage
        /// Refusals that a device is told of; the others are counted alone.
        public var refusalsTold = Allowance(burst: 50, perSecond: 5)

        public init() {}

        /// By ``Meters/Kind``.
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
