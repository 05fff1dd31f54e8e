internal import Contract

/// The routes' interface to a visitor's connection, through ``VisitorConnections``. Each answer is
/// called exactly once, on the loop's thread: immediately or later, with a refusal on timeout.
extension VisitorConnection {
    /// Answers when the broker has accepted the visitor.
    func whenConnected(_ answer: @escaping VisitorConnections.Answer<Void>) {
        if isConnected { return answer(.success(())) }
        if let refusal = reasonNotToWait { return answer(.failure(refusal)) }
        connectedWaiters.append(answer)
    }

    /// Makes a request; the answer is the reply.
    ///
    /// - Parameters:
    ///   - patience: nil for the usual timeout.
    ///   - whenTaken: called when the broker has the request.
    func ask(
        _ method: String, _ payload: [UInt8], at now: Duration, within patience: Duration?,
        whenTaken: (() -> Void)? = nil, _ answer: @escaping VisitorConnections.Answer<[UInt8]>
    ) {
        guard let topic = topics.request(method) else {
            let problem = Problem(.notAllowed, "Only users and guests can make requests.")
            return answer(.failure(Refusal(problem)))
        }
        guard mayBeUsed(at: now, isCall: CallForHelp.isOne(method), orElse: answer) else { return }
        requests.add(
            topic, payload, replies: topics.replies, until: now + (patience ?? limits.answer),
            whenTaken: whenTaken, answer)
        publishPending(at: now)
    }

    /// Sends fixes; answers when they are on disk or, if they have no numbers, when the broker has
    /// them.
    func send(
        _ fixes: NumberedFixes, at now: Duration,
        _ answer: @escaping VisitorConnections.Answer<FixOutcome>
    ) {
        guard let topic = topics.fix else {
            let problem = Problem(.notAllowed, "Only a user's device can send fixes.")
            return answer(.failure(Refusal(problem)))
        }
        guard mayBeUsed(at: now, orElse: answer) else { return }
        self.fixes.add(fixes, to: topic, until: now + limits.answer, answer)
        publishPending(at: now)
    }

    /// Adds an event reader; answers when all filters are granted.
    ///
    /// - Parameters:
    ///   - last: the last event that the reader received.
    ///   - address: the reader's address.
    ///   - stream: makes the stream, once there is room for it.
    func open(
        _ filters: [String], after last: EventID?, from address: NetworkAddress,
        at now: Duration, _ stream: () -> EventStream,
        _ answer: @escaping VisitorConnections.Answer<EventStream>
    ) {
        guard mayBeUsed(at: now, orElse: answer) else { return }
        guard maySubscribe(to: filters, from: address, at: now) else {
            return answer(.failure(.tooMuch))
        }
        guard eventSubscriptions.hasRoom(for: filters) else {
            let problem = Problem(.tooMany, "That is too many topics at once.")
            return answer(.failure(Refusal(problem)))
        }
        hadReader = true
        let mode = eventSubscriptions.open(stream(), filters, after: last, at: now, answer)
        guard isConnected, mode != .none else { return }
        subscribe(filters, from: address, withRetained: mode == .withRetained, at: now)
    }

    /// Answers with the metrics by name: immediately, except on a new connection.
    func readMetrics(
        at now: Duration, _ answer: @escaping VisitorConnections.Answer<MetricReading>
    ) {
        if failures > 0, !isConnected, !isOver {
            // It keeps trying while there are callers.
            lastUsed = now
            return answer(.success(MetricReading(isVerified: wasAccepted)))
        }
        guard mayBeUsed(at: now, orElse: answer) else { return }
        metrics.read(at: now, until: now + limits.metrics, answer)
    }

    /// Called when the reader has left.
    func close(_ stream: EventStream, at now: Duration) {
        eventSubscriptions.remove(stream, at: now)
        lastUsed = now
    }

    // MARK: Checks

    /// Whether it is connected or soon will be, and has room for one more request.
    private func mayBeUsed<Value>(
        at now: Duration, isCall: Bool = false, orElse answer: VisitorConnections.Answer<Value>
    ) -> Bool {
        lastUsed = now
        if let refusal = reasonNotToWait {
            answer(.failure(refusal))
            return false
        }
        guard waitingCount < limits.requestsWaiting * (isCall ? 2 : 1) else {
            answer(.failure(.tooMuch))
            return false
        }
        return true
    }

    private var reasonNotToWait: Refusal? {
        switch state {
        case .connecting, .connected: nil
        // After a single failure it may soon be connected again.
        case .waiting: failures > 1 ? .noBroker : nil
        case .closed: .noBroker
        case .refused: .notLoggedIn
        }
    }
}
