internal import Contract
internal import MQTT

/// The connections while the disk is full. Fixes and the like wait in their session at the broker,
/// and what calls for help among them is heard beside it.
extension BridgeLoop {
    /// Connects to hear what apps send that has calls among it: another copy of each message stays
    /// in the session of the streams, so that this one may be forgotten.
    ///
    /// - Returns: the connection, and what the broker has yet to grant of it: nothing.
    func connectForCalls() throws -> (Connection, [Connection.SubscriptionID]) {
        let calls = try Connection(callsOptions)
        try calls.open()
        let granted = try calls.subscribe(to: settings.topics.callInputs, withRetained: false)
        try calls.release()
        // From here on nothing is missed; what came before is waiting in the other session.
        let copies = try calls.awaitGrants(of: granted)
        turnLoop.overheard = try leaveStreamsWaiting() + copies
        return (calls, [])
    }

    /// Has the broker queue the streams, and thereby lets the gate know that everybody is heard:
    /// it may have been started since. Nothing is acknowledged.
    ///
    /// - Returns: what waits there first and may be a call.
    private func leaveStreamsWaiting() throws -> [Message] {
        var options = streamOptions
        options.receiveMaximum = BridgeLoop.lookedThrough
        let streams = try Connection(options)
        try streams.open()
        let granted = try streams.subscribe(to: settings.topics.inputs(of: .stream))
        try streams.release()
        var messages = try streams.awaitGrants(of: granted).filter(mayCall)
        let end = ContinuousClock.now + BridgeLoop.lookingThrough
        while goesOn(), ContinuousClock.now < end {
            try streams.wait(atMost: BridgeLoop.pauseAtEnd)
            let more = streams.receive(atMost: BridgeSettings.maximumBatch)
            if more.isEmpty { break }
            messages += more.filter(mayCall)
        }
        // Closed without a word: a DISCONNECT would go behind the acknowledgements.
        return messages
    }

    private func mayCall(_ message: Message) -> Bool {
        settings.topics.callInputs.contains { TopicFilter($0).matches(message.topic) }
    }

    /// How many of the messages that wait are looked through for calls.
    private static let lookedThrough: Int32 = 20_000
    /// How long that may take.
    private static let lookingThrough = Duration.seconds(5)
    /// When nothing has come for so long, in milliseconds, everything has.
    private static let pauseAtEnd: Int32 = 300
}
