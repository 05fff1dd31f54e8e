internal import Glibc

extension Connection {
    /// Connects and waits until the broker has accepted the connection.
    ///
    /// - Returns: whether the broker still had our session.
    @discardableResult
    package func open(within patience: Duration = patience) throws(MQTTError) -> Bool {
        try connect()
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            try wait(atMost: Connection.look(until: deadline))
            // Ends with the broker's CONNACK, before any message.
            _ = receive(atMost: 1)
            for event in takeEvents() {
                switch event {
                case .connected(let sessionPresent): return sessionPresent
                case .disconnected(let error): throw error
                case .confirmed, .refused, .subscribed: break
                }
            }
            try release()
        }
        throw .silence
    }

    /// Returns the next messages, at least one.
    ///
    /// - Throws: also if the broker refuses a subscription.
    package func next(within patience: Duration) throws(MQTTError) -> [Message] {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            try wait(atMost: Connection.look(until: deadline))
            let messages = receive(atMost: 10_000)
            maintain()
            try release()
            let events = takeEvents()
            for case .subscribed(_, granted: false) in events { throw .refusedSubscription }
            if !messages.isEmpty { return messages }
            for case .disconnected(let error) in events { throw error }
        }
        throw .silence
    }

    /// Returns a second, or the remaining time if shorter, in milliseconds.
    private static func look(until deadline: ContinuousClock.Instant) -> Int32 {
        let left = deadline - .now
        guard left < .seconds(1) else { return 1000 }
        return left <= .zero
            ? 0 : Int32(left.components.attoseconds / 1_000_000_000_000_000) + 1
    }

    /// Waits until the broker has granted the subscriptions.
    ///
    /// - Returns: the messages received meanwhile; their acknowledgements are held back.
    package func awaitGrants(of subscriptions: [SubscriptionID]) throws(MQTTError) -> [Message] {
        var (awaited, messages) = (Set(subscriptions), [Message]())
        let deadline = ContinuousClock.now + Connection.patience
        while !awaited.isEmpty {
            guard ContinuousClock.now < deadline else { throw .silence }
            try wait(atMost: 1000)
            messages += receive(atMost: 10_000)
            for event in takeEvents() {
                switch event {
                case .subscribed(_, granted: false): throw .refusedSubscription
                case .subscribed(let id, granted: true): awaited.remove(id)
                case .disconnected(let error): throw error
                case .connected, .confirmed, .refused: break
                }
            }
        }
        return messages
    }

    private static let patience = Duration.seconds(10)

    /// While the body runs, the connections count as readable only if this many bytes are waiting,
    /// or their end (`SO_RCVLOWAT`, socket(7)).
    package static func awaiting(
        _ bytes: Int32, on connections: [Connection], _ body: () throws(MQTTError) -> Void
    ) throws(MQTTError) {
        let sockets = connections.map(\.fileDescriptor)
        for socket in sockets { setLowWater(bytes, of: socket) }
        defer { for socket in sockets { setLowWater(1, of: socket) } }
        try body()
    }

    /// If the system refuses it, any data counts, as before.
    private static func setLowWater(_ bytes: Int32, of socket: Int32) {
        var bytes = bytes
        _ = unsafe setsockopt(
            socket, SOL_SOCKET, SO_RCVLOWAT, &bytes, socklen_t(MemoryLayout<Int32>.size))
    }
}
