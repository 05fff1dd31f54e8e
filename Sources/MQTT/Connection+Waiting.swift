extension Connection {
    /// Connects and waits until the broker has accepted the connection.
    ///
    /// - Returns: whether the broker still had our session.
    @discardableResult
    package func open() throws(MQTTError) -> Bool {
        try connect()
        let deadline = ContinuousClock.now + Connection.patience
        while ContinuousClock.now < deadline {
            try wait(atMost: 1000)
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
            try wait(atMost: 1000)
            let messages = receive(atMost: 10_000)
            try release()
            let events = takeEvents()
            for case .subscribed(_, granted: false) in events { throw .refusedSubscription }
            if !messages.isEmpty { return messages }
            for case .disconnected(let error) in events { throw error }
        }
        throw .silence
    }

    private static let patience = Duration.seconds(10)
}
