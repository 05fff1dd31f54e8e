internal import MQTT

extension TurnLoop {
    /// Records the latency once everything that follows from new fixes and calls for help is sent.
    func noteLatency(of fixes: Int, and calls: Int, since arrival: Duration) {
        guard fixes + calls > 0 else { return }
        let time = engine.stopwatch() - arrival
        if fixes > 0 { engine.measures.fixes.note(time, times: fixes) }
        if calls > 0 { engine.measures.calls.note(time, times: calls) }
    }

    /// The broker has the message.
    func noteConfirmed(_ id: Connection.PublishID, at now: Duration) {
        guard let row = publisher.confirm(id, at: now) else { return }
        for time in callWatch.confirm(row, at: now) { engine.measures.confirmedCalls.note(time) }
    }
}
