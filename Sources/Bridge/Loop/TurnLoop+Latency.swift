internal import Contract
internal import MQTT
internal import Tracking

extension TurnLoop {
    /// Records the latency once everything that follows from new fixes is sent.
    func noteLatency(ofFixes count: Int, since arrival: Duration) {
        if count > 0 { engine.measures.fixes.note(engine.stopwatch() - arrival, times: count) }
    }

    func noteLatency(ofCalls count: Int, since arrival: Duration) {
        if count > 0 { engine.measures.calls.note(engine.stopwatch() - arrival, times: count) }
    }

    /// Returns how long the call for help that has waited longest at the broker did; none without one.
    /// The clock of phones is not asked.
    static func longestWait(in messages: [Message], at now: Timestamp) -> Duration {
        messages.lazy.compactMap(\.lastUserProperty)
            .filter { $0.name == CallArrival.property }
            .map { CallArrival.wait(since: $0.value, until: now) }
            .max() ?? .zero
    }

    /// The broker has the message.
    func noteConfirmed(_ id: Connection.PublishID, at now: Duration) {
        guard let row = publisher.confirm(id, at: now) else { return }
        for time in callWatch.confirm(row, at: now) { engine.measures.confirmedCalls.note(time) }
    }
}
