internal import MQTT

/// Reports the bridge's health to one broker over its own connection: on the bridge's connection
/// nothing could be sent without also acknowledging messages that were not stored.
final class StatusReporter {
    private let plan: ConnectionPlan
    private let waker: Waker
    private var connecting: Background<Connection>?
    private var connection: Connection?
    private var said: [UInt8]?
    private var nextAttempt = ContinuousClock.now

    private static let pause = Duration.seconds(1)

    init(_ plan: ConnectionPlan, _ waker: Waker) { (self.plan, self.waker) = (plan, waker) }

    /// Keeps the connection up, and publishes the message unless it was the last one published. If
    /// the broker is away, it is published next time.
    func say(_ publication: Publication) {
        do throws(MQTTError) {
            guard let connection = try live(), said != publication.payload else { return }
            _ = try connection.send(publication)
            try connection.release()
            said = publication.payload
        } catch {
            (connection, connecting, said) = (nil, nil, nil)
            nextAttempt = .now + StatusReporter.pause
        }
    }

    /// - Parameter publication: nil if the bridge itself reports next.
    func end(saying publication: Publication?) {
        connecting?.cancel()
        do throws(MQTTError) {
            // One that is not ended by a DISCONNECT ends with the will.
            if connection == nil { connection = try connecting?.take() }
            guard let connection else { return }
            if let publication { _ = try connection.send(publication) }
            connection.disconnect()
            _ = try connection.flush(atMost: .seconds(1))
        } catch {
            // The broker publishes the will instead.
        }
    }

    private func live() throws(MQTTError) -> Connection? {
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
        guard connecting != nil || nextAttempt <= .now else { return nil }
        let connecting =
            connecting
            ?? Background(named: "status", waker) { [plan] isCancelled throws(MQTTError) in
                try plan.openForStatus(isCancelled)
            }
        self.connecting = connecting
        connection = try connecting.take()
        return connection
    }
}
