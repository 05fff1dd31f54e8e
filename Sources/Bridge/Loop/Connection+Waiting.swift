internal import MQTT

extension Connection {
    /// Connects and waits until the broker has accepted the connection.
    ///
    /// - Returns: whether the broker still had our session.
    @discardableResult
    func open() throws(MQTTError) -> Bool {
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
    func next(within patience: Duration) throws(MQTTError) -> [Message] {
        let deadline = ContinuousClock.now + patience
        while ContinuousClock.now < deadline {
            try wait(atMost: 1000)
            let messages = receive(atMost: 10_000)
            try release()
            if !messages.isEmpty { return messages }
            for event in takeEvents() {
                if case .disconnected(let error) = event { throw error }
            }
        }
        throw .silence
    }

    private static let patience = Duration.seconds(10)
}
