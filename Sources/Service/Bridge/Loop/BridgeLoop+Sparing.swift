internal import Contract
internal import MQTT

/// The connections while the disk is full. Fixes and similar messages wait in their session at the
/// broker, and calls for help among them are received over another connection.
extension BridgeLoop {
    /// Connects to receive the app messages that may contain calls: another copy of each stays in
    /// the stream session, so this one may be discarded.
    ///
    /// - Returns: the connection, and the subscriptions that the broker has yet to grant: none.
    func connectForCalls() throws -> (Connection, [Connection.SubscriptionID]) {
        let calls = try Connection(callsOptions)
        try calls.open()
        let granted = try calls.subscribe(to: settings.topics.callInputs, withRetained: false)
        try calls.release()
        // From here on nothing is missed; earlier messages are waiting in the other session.
        let copies = try calls.awaitGrants(of: granted)
        turnLoop.overheard = try leaveStreamsWaiting() + copies
        return (calls, [])
    }

    /// Has the broker queue the streams, which also shows the gate that all messages are received:
    /// it may have been started since. Nothing is acknowledged.
    ///
    /// - Returns: the first waiting messages that may be calls.
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
        // Closed without a DISCONNECT, which would be sent after the acknowledgements.
        return messages
    }

    private func mayCall(_ message: Message) -> Bool {
        settings.topics.callInputs.contains { TopicFilter($0).matches(message.topic) }
    }

    /// The maximum number of waiting messages searched for calls.
    private static let lookedThrough: Int32 = 20_000
    /// The maximum duration of that search.
    private static let lookingThrough = Duration.seconds(5)
    /// The silence after which all messages have been received, in milliseconds.
    private static let pauseAtEnd: Int32 = 300
}
