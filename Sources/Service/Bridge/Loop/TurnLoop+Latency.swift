internal import Contract
internal import MQTT
internal import Tracking

extension TurnLoop {
    /// Records the latency once all results of new fixes are sent.
    func noteLatency(ofFixes count: Int, since arrival: Duration) {
        if count > 0 { engine.measures.fixes.note(engine.stopwatch() - arrival, times: count) }
    }

    func noteLatency(ofCalls count: Int, since arrival: Duration) {
        if count > 0 { engine.measures.calls.note(engine.stopwatch() - arrival, times: count) }
    }

    /// Returns the longest wait of a call for help at the broker; zero without one stamped by the
    /// gate. Times not stamped by the gate are not trusted.
    func longestWait(in messages: [Message], at now: Timestamp) -> Duration {
        var longest = Duration.zero
        for message in messages {
            guard let stamp = message.lastUserProperty, stamp.name == CallArrival.property,
                case .request(_, _, Turn.call)? = settings.topics.parse(message.topic)
            else { continue }
            longest = max(longest, CallArrival.wait(since: stamp.value, until: now))
        }
        return longest
    }

    /// Records that a broker has the message.
    func noteConfirmed(_ row: Int64, at now: Duration) {
        for time in callWatch.confirm(row, at: now) { engine.measures.confirmedCalls.note(time) }
    }
}

extension Message {
    /// When the broker received the call for help, according to its gate; nil if unknown.
    func callArrival(at now: Timestamp) -> Timestamp? {
        guard let stamp = lastUserProperty, stamp.name == CallArrival.property else { return nil }
        return CallArrival.time(stamp.value, at: now)
    }
}
