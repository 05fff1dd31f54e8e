internal import Glibc
package import MQTT
internal import Numbers
internal import Tracking

/// The traffic from and to the broker, as the turn loop uses it. Calls are made in the same order
/// as for ``Connection``.
package protocol BrokerLink: AnyObject {
    /// Returns whether the broker accepts another QoS 1 message now.
    func hasRoom(on lane: Lane) -> Bool
    /// The number of our QoS 1 messages that the broker has not acknowledged.
    var unanswered: Int { get }

    /// Takes waiting messages, and holds back their acknowledgements.
    func receive(atMost limit: Int) -> [Message]
    /// Does the same, up to this number of payload bytes of a kind, where that is known.
    func receive(atMost limit: Int, bytes: Int) -> [Message]
    func takeEvents() -> [Connection.Event]
    /// The message is sent with the next ``flush()``.
    func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID
    /// Sends the held acknowledgements and everything else; returns when it has been sent.
    func flush() throws(MQTTError)
    /// Does the same, for no longer than that.
    ///
    /// - Parameter patience: nil for as long as it takes.
    /// - Returns: whether everything has been sent.
    func flush(atMost patience: Duration?) throws(MQTTError) -> Bool
    /// Lets some time pass before anything more is sent.
    func pause(for duration: Duration)
    /// To be called once a second.
    func maintain()
    func disconnect()
}

extension BrokerLink {
    package func receive(atMost limit: Int, bytes: Int) -> [Message] { receive(atMost: limit) }

    package func flush(atMost patience: Duration?) throws(MQTTError) -> Bool {
        try flush()
        return true
    }
}

extension Connection: BrokerLink {
    package func hasRoom(on lane: Lane) -> Bool { hasRoom }

    package func send(_ publication: Publication) throws(MQTTError) -> PublishID {
        try publish(
            topic: publication.topic, payload: publication.payload, qos: publication.qos,
            retain: publication.retain, correlationData: publication.correlationData)
    }

    package func pause(for duration: Duration) {
        usleep(UInt32(clamping: duration / .microseconds(1)) + 1)
    }

    package func flush() throws(MQTTError) { _ = try flush(atMost: nil) }

    package func flush(atMost patience: Duration?) throws(MQTTError) -> Bool {
        try release()
        let end = patience.map { ContinuousClock.now + $0 }
        while wantsWrite, fileDescriptor >= 0 {
            if let end, end <= .now { return false }
            try wait(atMost: patience.map { Int32(clamping: $0.milliseconds) } ?? 1000)
            maintain()
            try release()
        }
        return true
    }
}
