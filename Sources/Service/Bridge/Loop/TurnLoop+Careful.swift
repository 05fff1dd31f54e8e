/// After an end in the middle of a turn, messages are handled one at a time for a while.
extension TurnLoop {
    /// Returns whether messages are handled that way.
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

    /// The number of messages per round during that time: refused ones are acknowledged before many
    /// others are tried.
    static let carefulBatch = 4
}
