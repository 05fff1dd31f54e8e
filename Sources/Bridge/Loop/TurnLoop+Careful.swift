/// After an end in the middle of a turn messages are taken one at a time for a while.
extension TurnLoop {
    /// Returns whether they are taken so.
    ///
    /// - Parameter now: by the steady clock.
    func isCareful(at now: Duration) -> Bool {
        let start = servingSince ?? now
        servingSince = start
        if now >= start + TurnLoop.carefulFor { record?.settle() }
        return record?.isCareful ?? false
    }

    /// Longer than it takes for the messages that were in flight when the process ended to be
    /// redelivered.
    static let carefulFor = Duration.seconds(60)

    /// How many messages a round takes meanwhile: what is refused is acknowledged before many others
    /// are tried.
    static let carefulBatch = 4
}
