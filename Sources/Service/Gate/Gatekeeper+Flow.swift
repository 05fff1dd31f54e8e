internal import Contract
internal import Limits

/// Limits the traffic of clients. A client that has used up its allowance is paused and loses
/// nothing: the broker resumes reading when some of the allowance is available again.
extension Gatekeeper {
    // MARK: Counting

    /// - Parameter samples: the maximum number of fixes, or vital-sign samples, that it may
    ///   contain.
    /// - Returns: false if the connection should be closed.
    func charge(
        publication size: Int, _ samples: Int, to match: AccessPolicy.TopicMatch?,
        _ session: Session,
        _ client: Client, at now: Duration
    ) -> Bool {
        subscriber = nil
        publication += 1
        let unit = settings.limits.bytesOfOne
        if session.isGuest { guests.note(client, at: session.network, now) }
        // A larger message means more work; a sample in an array is as much work as a single one.
        let length = Double(max(1, (size + unit - 1) / unit))
        let cost = max(length, Double(min(samples, FixLimits.maximumCount)))
        if session.isGuest, size > settings.limits.guestPayload {
            refusals.cutOff += 1
            return false
        }
        let isRequest = match.map { policy.isOwnRequest($0, session.principal) } ?? false
        return charge(
            cost, length: length, isRequest ? .requests : .messages, session, client, at: now)
    }

    /// Charges an UNSUBSCRIBE, which is never refused.
    public func unsubscribe(_ filter: String, by client: Client, at now: Duration) -> Verdict {
        guard let session = sessions[client] else { return .allowed }
        return charge(filter: filter, session, client, at: now) ? .allowed : .cutOff
    }

    func charge(filter: String, _ session: Session, _ client: Client, at now: Duration) -> Bool {
        session.flow.note(filter.utf8.count)
        let limits = settings.limits
        if session.isGuest { guests.note(client, at: session.network, now) }
        let isBroad = policy.meansAllAreas(filter)
        let cost = isBroad ? limits.costOfBroadFilter : limits.costOfFilter
        return charge(cost, .messages, session, client, at: now)
    }

    /// - Parameter length: the cost by its size alone, if that is less.
    /// - Returns: false if the connection should be closed.
    private func charge(
        _ cost: Double, length: Double? = nil, _ kind: Meters.Kind, _ session: Session,
        _ client: Client, at now: Duration
    ) -> Bool {
        let isTaken =
            switch session.row.charge {
            case .nothing: true
            case .address:
                session.messages.take(cost, of: settings.limits.guestMessages, at: now)
                    && session.meter?.take(cost, at: now) ?? false
            case .itself, .user, .asDevice, .asPerson:
                spend(cost, length: length ?? cost, kind, session, client, at: now)
            }
        if !isTaken { refusals.cutOff += 1 }
        return isTaken
    }

    /// Charges a cost. A message that closes the connection is not charged, as the broker does not
    /// forward it. Otherwise a client that reconnects every second would owe as much each time.
    ///
    /// - Returns: false if the connection owes too much.
    private func spend(
        _ cost: Double, length: Double, _ kind: Meters.Kind, _ session: Session,
        _ client: Client, at now: Duration
    ) -> Bool {
        guard mayOwe(cost, length: length, kind, session, at: now) else { return false }
        owe(cost, kind, session, client, at: now)
        return true
    }

    /// Whether the connection may send this much; records the overdraft, if any.
    private func mayOwe(
        _ cost: Double, length: Double, _ kind: Meters.Kind, _ session: Session, at now: Duration
    ) -> Bool {
        let limits = settings.limits
        guard let meter = session.meter else { return false }
        let before = meter.left(kind, at: now)
        // Messages sent before the connection could be paused count by their size: a single one may
        // be as much work as the whole overdraft.
        let overdraft = max(0, min(length, cost - max(before, 0)))
        // Traffic that is never paid for counts by the work that it causes.
        let unpaid = before < 0 ? max(0, cost - before - debt(kind)) : 0
        guard session.flow.overdraft + overdraft <= limits.overdraft,
            session.flow.unpaid + unpaid <= limits.overdraftInDebt
        else { return false }
        session.flow.overdraft += overdraft
        session.flow.unpaid += unpaid
        return true
    }

    /// The maximum that a device may owe.
    private func debt(_ kind: Meters.Kind) -> Double {
        kind == .messages ? settings.limits.debt : settings.limits.overdraft
    }

    private func owe(
        _ cost: Double, _ kind: Meters.Kind, _ session: Session, _ client: Client,
        at now: Duration
    ) {
        let limits = settings.limits
        guard let meter = session.meter else { return }
        if kind == .messages {
            everybodys.spend(cost, downTo: 0, of: limits.everybodysMessages, at: now)
        }
        let left = meter.spend(cost, kind, overdraft: debt(kind), at: now)
        if left < 0, session.isConnected {
            if session.flow.owed.isEmpty { debtors.append((client, session)) }
            session.flow.owed.insert(kind)
        }
    }

    /// Charges retained messages to the subscriber: one filter may match thousands.
    func chargeRetained(_ session: Session, _ client: Client, at now: Duration) {
        guard subscriber == client else { return }
        switch session.row.charge {
        case .nothing, .address: break
        case .itself, .user, .asDevice, .asPerson:
            owe(settings.limits.costOfRetained, .messages, session, client, at: now)
        }
    }

    /// Charges for bytes not shown by callbacks: see ``measure(_:_:at:)``.
    ///
    /// - Returns: false if the connection should be closed.
    func charge(unseen bytes: Double, _ session: Session, _ client: Client, at now: Duration)
        -> Bool
    {
        let limits = settings.limits
        let cost = bytes / limits.unseenBytesOfOne
        guard session.isGuest else {
            // It has already been read, whatever happens to the connection.
            defer { owe(cost, .messages, session, client, at: now) }
            return mayOwe(cost, length: cost, .messages, session, at: now)
        }
        // The guest's address is also charged, so that its next guest cannot continue in the same
        // way.
        _ = session.meter?.spend(cost, overdraft: limits.addressMessages.burst, at: now)
        return session.messages.take(cost, of: limits.guestMessages, at: now)
    }

    // MARK: Pausing

    /// Pauses and resumes connections. Called with each tick, since the broker, which reads one
    /// packet of each client between two ticks, undoes a pause when it writes to the client.
    func settle(at now: Duration) {
        subscriber = nil
        guard !debtors.isEmpty else { return }
        shareWhatIsLeft(at: now)
        debtors.removeAll { client, session in
            guard session.isConnected, let meter = session.meter else { return true }
            if session.flow.owed.allSatisfy({
                meter.left($0, at: now) >= settings.limits.leastToResume
            }) {
                session.flow.owed = []
                (session.flow.overdraft, session.flow.unpaid) = (0, 0)
                if session.flow.pausedAt != nil { orders.append(.resume(client)) }
                endPause(of: session, at: now)
                return true
            }
            if session.flow.pausedAt == nil {
                session.flow.pausedAt = now
                refusals.pauses += 1
                orders.append(.pause(client))
            } else if session.flow.isTouched {
                orders.append(.pause(client))
            }
            session.flow.isTouched = false
            return false
        }
    }

    /// Shares the rest equally among the waiting people, and each person's part among their
    /// devices.
    private func shareWhatIsLeft(at now: Duration) {
        let allowance = settings.limits.everybodysMessages
        let left = everybodys.left(of: allowance, at: now)
        var devices: [ObjectIdentifier: [ObjectIdentifier: Meters.Meter]] = [:]
        for (_, session) in debtors where session.flow.owed.contains(.messages) {
            guard let meter = session.meter, session.isConnected else { continue }
            devices[ObjectIdentifier(meter.topmost), default: [:]][
                ObjectIdentifier(meter)] = meter
        }
        guard left > 0, !devices.isEmpty else { return }
        everybodys.spend(left, downTo: 0, of: allowance, at: now)
        for meters in devices.values {
            let part = left / Double(devices.count * meters.count)
            for meter in meters.values {
                _ = meter.spend(-part, overdraft: debt(.messages), at: now)
            }
        }
    }

    private func endPause(of session: Session, at now: Duration) {
        guard let since = session.flow.pausedAt else { return }
        refusals.paused += now - since
        session.flow.pausedAt = nil
    }

    /// To be called when the connection has ended.
    func endFlow(of session: Session, at now: Duration) {
        endPause(of: session, at: now)
        held -= session.flow.held
        session.flow.held = 0
    }
}
