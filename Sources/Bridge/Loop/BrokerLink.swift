internal import Glibc
package import MQTT

/// What comes from the broker and goes to it, as the turn loop uses it. The order of calls is that of
/// ``Connection``.
package protocol BrokerLink: AnyObject {
    /// Whether the broker takes another message of QoS 1 now.
    func hasRoom(on lane: Lane) -> Bool
    /// How many of our messages of QoS 1 it has not answered.
    var unanswered: Int { get }

    /// Takes what is waiting, and holds back the acknowledgements.
    func receive(atMost limit: Int) -> [Message]
    func takeEvents() -> [Connection.Event]
    /// The message leaves with the next ``flush()``.
    func send(_ publication: Publication) throws(MQTTError) -> Connection.PublishID
    /// Sends the held acknowledgements and everything else; returns when it has left.
    func flush() throws(MQTTError)
    /// Lets some time pass before anything more is sent.
    func pause(for duration: Duration)
    /// Once a second.
    func maintain()
    func disconnect()
}

extension Connection: BrokerLink {
    package func hasRoom(on lane: Lane) -> Bool { hasRoom }

    package func send(_ publication: Publication) throws(MQTTError) -> PublishID {
        try publish(
            topic: publication.topic, payload: publication.payload, qos: publication.qos,
            retain: publication.retain, correlationData: publication.correlationData)
    }

    package func pause(for duration: Duration) { usleep(UInt32(duration / .microseconds(1)) + 1) }

    package func flush() throws(MQTTError) {
        try release()
        while wantsWrite, fileDescriptor >= 0 {
            try wait(atMost: 1000)
            maintain()
            try release()
        }
    }
}
