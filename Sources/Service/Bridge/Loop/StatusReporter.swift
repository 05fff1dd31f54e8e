internal import MQTT

/// Reports the bridge's health over its own connection: on the bridge's connection nothing could be
/// sent without also acknowledging messages that were not stored.
final class StatusReporter {
    private let options: ConnectionOptions
    private var connection: Connection?
    private var said: [UInt8]?

    init(_ options: ConnectionOptions) { self.options = options }

    /// Keeps the connection up, and publishes the message unless it was the last one published. If
    /// the broker is away, it is published next time.
    func say(_ publication: Publication) {
        do throws(MQTTError) {
            let connection = try live()
            guard said != publication.payload else { return }
            _ = try connection.send(publication)
            try connection.flush()
            said = publication.payload
        } catch {
            (connection, said) = (nil, nil)
        }
    }

    /// - Parameter publication: nil if the bridge itself reports next.
    func end(saying publication: Publication?) {
        guard let connection else { return }
        do throws(MQTTError) {
            if let publication { _ = try connection.send(publication) }
            connection.disconnect()
            try connection.flush()
        } catch {
            // The broker publishes the will instead.
        }
    }

    private func live() throws(MQTTError) -> Connection {
        if let connection {
            try connection.wait(atMost: 0)
            _ = connection.receive(atMost: 1000)
            connection.maintain()
            try connection.release()
            for event in connection.takeEvents() {
                if case .disconnected(let error) = event { throw error }
            }
            return connection
        }
        let new = try Connection(options)
        try new.open()
        connection = new
        return new
    }
}
