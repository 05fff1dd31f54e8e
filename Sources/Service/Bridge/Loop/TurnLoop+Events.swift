internal import Clocks

/// The brokers' events about connections, subscriptions and publications.
extension TurnLoop {
    /// Messages read before the connection ended are still handled.
    func noteEvents(_ broker: ServedBroker, at moment: ClockReading) throws {
        let (confirmed, isGranted) = try broker.noteEvents(at: moment)
        for row in confirmed { noteConfirmed(row, at: moment.steady) }
        if isGranted { try broker.publish(status("online")) }
    }
}
