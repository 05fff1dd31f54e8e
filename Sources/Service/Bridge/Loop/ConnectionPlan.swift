internal import Contract
internal import MQTT

/// How the bridge connects to one of its brokers. Every bridge uses the same client identifiers, so
/// that the broker ends the connections of another bridge when this one connects.
struct ConnectionPlan: Sendable {
    private let broker: BridgeSettings.Broker
    private let address: BridgeSettings.Broker.Address
    private let topics: TopicSpace
    private let will: ConnectionOptions.Will
    private let needsSide: Bool

    /// The connections of the bridge's work to one broker.
    struct Opened {
        let prompt, vitals, bulk: Connection
        /// Nil if it cannot be had.
        let side: SideConnection?
        /// The subscriptions that the broker has yet to grant.
        let awaited: Set<Connection.SubscriptionID>
        /// Messages that stay at the broker, to be searched for calls for help.
        var overheard: [Message] = []

        var lanes: LaneConnections<Connection> {
            LaneConnections(prompt: prompt, vitals: vitals, bulk: bulk)
        }
    }

    /// - Parameter last: what the broker publishes when the bridge ends.
    init(
        _ settings: BridgeSettings, _ address: BridgeSettings.Broker.Address, last: Publication
    ) {
        (broker, self.address, topics) = (settings.broker, address, settings.topics)
        will = .init(topic: last.topic, payload: last.payload)
        needsSide = settings.databaseServer != nil
    }

    // MARK: Connecting

    /// - Parameters:
    ///   - isSparing: whether fixes and similar messages wait in their session at the broker, and
    ///     calls for help among them are received over another connection.
    ///   - isCancelled: asked before each connection, which would end those of others.
    func open(isSparing: Bool, _ isCancelled: () -> Bool) throws(MQTTError) -> Opened {
        func goOn() throws(MQTTError) { if isCancelled() { throw .silence } }
        // The library would wait for minutes for a machine that does not answer.
        if !broker.all.isEmpty {
            let isThere = Reachability.answers(
                at: address.host, address.port, within: ConnectionPlan.connectPatience)
            guard isThere else { throw .silence }
        }
        try goOn()
        let (bulk, streams, overheard) =
            try isSparing ? openForCalls() : open(streamOptions(hasWill: true), to: .stream)
        try goOn()
        let (vitals, samples, _) = try open(lasting(options(of: "vitals")), to: .vitals)
        try goOn()
        let (prompt, requests, _) = try open(lasting(options(of: "requests")), to: .requests)
        try goOn()
        let lanes = LaneConnections(prompt: prompt, vitals: vitals, bulk: bulk)
        return Opened(
            prompt: prompt, vitals: vitals, bulk: bulk, side: try openSide(),
            awaited: lanes.subscriptions(prompt: requests, vitals: samples, bulk: streams),
            overheard: overheard)
    }

    private typealias Single = (Connection, [Connection.SubscriptionID], overheard: [Message])

    private func open(_ options: ConnectionOptions, to lane: TopicRow.Lane) throws(MQTTError)
        -> Single
    {
        let connection = try Connection(options)
        try connection.open()
        let identifiers = try connection.subscribe(to: topics.inputs(of: lane))
        // An earlier version's gate refuses it, and waits for no barriers.
        try connection.subscribe(to: [topics.barrier(lane)])
        try connection.release()
        return (connection, identifiers, [])
    }

    /// On a server the bridge does not work without it.
    private func openSide() throws(MQTTError) -> SideConnection? {
        do throws(MQTTError) {
            return try openSideAgain()
        } catch {
            if needsSide { throw error }
            return nil
        }
    }

    func openSideAgain() throws(MQTTError) -> SideConnection {
        var options = options(of: "early")
        // The others hold back acknowledgements while the database is slow, and could send no ping.
        if !broker.all.isEmpty { options.keepAlive = ConnectionPlan.keepAliveOfSeveral }
        return try SideConnection(options, topics)
    }

    func openForStatus(_ isCancelled: () -> Bool) throws(MQTTError) -> Connection {
        var options = options(of: "status")
        options.will = will
        let connection = try Connection(options)
        try connection.open()
        if isCancelled() {
            connection.disconnect()
            try connection.release()
        }
        return connection
    }

    var reader: RetainedReader { RetainedReader(options: options(of: "reader"), topics: topics) }

    // MARK: A full disk

    /// Connects to receive the app messages that may contain calls: another copy of each stays in
    /// the stream session, so this one may be discarded. No subscription is left to be granted.
    private func openForCalls() throws(MQTTError) -> Single {
        var options = options(of: "calls")
        options.isBatched = true
        options.will = will
        let calls = try Connection(options)
        try calls.open()
        let granted = try calls.subscribe(to: topics.callInputs, withRetained: false)
        try calls.release()
        // From here on nothing is missed; earlier messages are waiting in the other session.
        let copies = try calls.awaitGrants(of: granted)
        return (calls, [], try leaveStreamsWaiting() + copies)
    }

    /// Has the broker queue the streams, which also shows the gate that all messages are received:
    /// it may have been started since. Nothing is acknowledged.
    ///
    /// - Returns: the first waiting messages that may be calls.
    private func leaveStreamsWaiting() throws(MQTTError) -> [Message] {
        var options = streamOptions(hasWill: false)
        options.receiveMaximum = ConnectionPlan.lookedThrough
        let streams = try Connection(options)
        try streams.open()
        let granted = try streams.subscribe(to: topics.inputs(of: .stream))
        try streams.release()
        var messages = try streams.awaitGrants(of: granted).filter(mayCall)
        let end = ContinuousClock.now + ConnectionPlan.lookingThrough
        while ContinuousClock.now < end {
            try streams.wait(atMost: ConnectionPlan.pauseAtEnd)
            let more = streams.receive(atMost: BridgeSettings.maximumBatch)
            if more.isEmpty { break }
            messages += more.filter(mayCall)
        }
        // Closed without a DISCONNECT, which would be sent after the acknowledgements.
        return messages
    }

    private func mayCall(_ message: Message) -> Bool {
        topics.callInputs.contains { TopicFilter($0).matches(message.topic) }
    }

    /// The maximum number of waiting messages searched for calls.
    private static let lookedThrough: Int32 = 20_000
    /// The maximum duration of that search.
    private static let lookingThrough = Duration.seconds(5)
    /// The silence after which all messages have been received, in milliseconds.
    private static let pauseAtEnd: Int32 = 300

    // MARK: Options

    /// The session in which the broker keeps fixes and similar messages.
    private func streamOptions(hasWill: Bool) -> ConnectionOptions {
        var options = lasting(reader.options)
        options.clientID = broker.clientID
        if hasWill { options.will = will }
        return options
    }

    /// Adds a session in which the broker keeps messages while the bridge is away.
    private func lasting(_ options: ConnectionOptions) -> ConnectionOptions {
        var options = options
        options.cleanStart = false
        options.sessionExpiry = ConnectionPlan.sessionExpiry
        options.receiveMaximum = ConnectionPlan.receiveMaximum
        options.isBatched = true
        return options
    }

    /// Returns the options for a connection besides the bridge's main one.
    private func options(of purpose: String) -> ConnectionOptions {
        var options = ConnectionOptions(
            host: address.host, port: address.port, clientID: "\(broker.clientID).\(purpose)")
        options.packetMaximum = BridgePacketMaximum.announced(by: options.clientID)
        options.username = broker.username
        options.password = broker.password
        if broker.all.isEmpty {
            options.tls = broker.tls
        } else {
            options.tls = address.usesTLS ? broker.tlsOfAll : nil
        }
        return options
    }

    /// In seconds: a frozen broker is noticed after twice as long.
    private static let keepAliveOfSeveral: Int32 = 10
    /// How long the machine of one of several brokers may take to accept a connection.
    private static let connectPatience = Duration.seconds(3)

    /// The number of messages that may be in flight to us: enough for several turns, and few enough
    /// that the broker's confirmations, which queue behind them, are not late.
    private static let receiveMaximum = Int32(4 * BridgeSettings.maximumBatch)

    /// In seconds: a week, as long as the broker keeps the sessions of absent clients.
    private static let sessionExpiry: UInt32 = 604_800
}
