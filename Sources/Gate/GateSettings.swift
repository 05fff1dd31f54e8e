public import Contract

/// What the gate is started with, and its bounds.
public struct GateSettings: Sendable {
    public var databasePath: String
    public var topics: TopicSpace
    public var limits = Limits()

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
        public var guests = 500
        public var guestsOfAddress = 50
        /// Bytes of what a guest publishes.
        public var guestPayload = PayloadLimits.guest
        public var guestMessages = Allowance(burst: 20, perSecond: 1)
        /// Of all guests of an address.
        public var addressMessages = Allowance(burst: 500, perSecond: 20)
        /// Of a device, whatever connections it has; a large message counts for several. What is
        /// too much ends the connection unacknowledged, so that nothing is lost: it comes again.
        /// Everybody waits for what the bridge has before them, so this is little: a phone that
        /// was away for long tells it in arrays, or in as many seconds as it takes.
        public var deviceMessages = Allowance(burst: 1_000, perSecond: 500)
        /// Of that, for each connection of a device …
        public var costOfConnecting = 5.0
        /// … and how much must be there: whoever was cut off and comes again at once would use
        /// up all of it by connecting, and never get anything told. Enough for what a phone sends
        /// again that waits for receipts: cut off before they come it would never get further.
        public var leastToConnect = 600.0
        /// Connections let in, of everybody. Who comes beyond it is not answered and comes again
        /// after a pause of its own: phones that all come back at once spread by themselves.
        public var arrivals = Allowance(burst: 100, perSecond: 1_000)
        /// Bytes of a payload that count for one message.
        public var bytesOfOne = PayloadLimits.oneMessage
        /// Refusals that a device is told of; the others are counted alone.
        public var refusalsTold = Allowance(burst: 50, perSecond: 5)

        public init() {}
    }
}
