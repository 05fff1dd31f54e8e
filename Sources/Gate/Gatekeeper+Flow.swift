internal import Contract

/// What everybody may send. Who has used up their allowance is paused, and loses nothing: the
/// broker reads on when there is something left again.
extension Gatekeeper {
    // MARK: Counting

    /// - Parameter fixes: how many fixes it may hold.
    /// - Returns: false where the connection is to end.
    func charge(
        publication size: Int, _ fixes: Int, to place: AccessPolicy.Place?, _ session: Session,
        _ client: Client, at now: Duration
    ) -> Bool {
        subscriber = nil
        publication += 1
        let unit = settings.limits.bytesOfOne
        if session.isGuest { guests.note(client, at: session.network, now) }
        // The more there is in a message, the more there is to do; a fix in an array is as much
        // to do as a fix alone.
        let length = Double(max(1, (size + unit - 1) / unit))
        let cost = max(length, Double(min(fixes, FixLimits.maximumCount)))
        if session.isGuest, size > settings.limits.guestPayload {
            refusals.cutOff += 1
            return false
        }
        let isRequest = place.map { policy.isOwnRequest($0, session.principal) } ?? false
        return charge(
            cost, length: length, isRequest ? .requests : .messages, session, client, at: now)
    }

    /// Nobody is refused it, but it counts.
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

    /// - Parameter length: what it is by its bytes alone, where that is less.
    /// - Returns: false where the connection is to end.
    private func charge(
        _ cost: Double, length: Double? = nil, _ kind: Meters.Kind, _ session: Session,
        _ client: Client, at now: Duration
    ) -> Bool {
        let isTaken =
            switch session.principal {
            case .system: true
            case .guest:
                session.messages.take(cost, of: settings.limits.guestMessages, at: now)
                    && session.meter?.take(cost, at: now) ?? false
            case .device, .service:
                spend(cost, length: length ?? cost, kind, session, client, at: now)
            }
        if !isTaken { refusals.cutOff += 1 }
        return isTaken
    }

    /// Nothing is counted of what ends a connection: the broker hands it on to nobody. Otherwise
    /// whoever comes again each second would owe as much each time.
    ///
    /// - Returns: false where the connection owes too much.
    private func spend(
        _ cost: Double, length: Double, _ kind: Meters.Kind, _ session: Session,
        _ client: Client, at now: Duration
    ) -> Bool {
        guard mayOwe(cost, length: length, kind, session, at: now) else { return false }
        owe(cost, kind, session, client, at: now)
        return true
    }

    /// Whether the connection may send so much, and notes it where there is not so much left.
    private func mayOwe(
        _ cost: Double, length: Double, _ kind: Meters.Kind, _ session: Session, at now: Duration
    ) -> Bool {
        let limits = settings.limits
        guard let meter = session.meter else { return false }
        let before = meter.left(kind, at: now)
        // What came before it could be paused counts by its bytes: one message may be as much to
        // do as all that may be owed.
        let overdraft = max(0, min(length, cost - max(before, 0)))
        // What nobody ever pays counts by what there is to do.
        let unpaid = before < 0 ? max(0, cost - before - debt(kind)) : 0
        guard session.flow.overdraft + overdraft <= limits.overdraft,
            session.flow.unpaid + unpaid <= limits.overdraftInDebt
        else { return false }
        session.flow.overdraft += overdraft
        session.flow.unpaid += unpaid
        return true
    }

    /// How much of it a device may owe.
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

    /// Retained messages are counted to who subscribed: they may be thousands for one filter.
    func chargeRetained(_ session: Session, _ client: Client, at now: Duration) {
        guard subscriber == client else { return }
        switch session.principal {
        case .system, .guest: break
        case .device, .service:
            owe(settings.limits.costOfRetained, .messages, session, client, at: now)
        }
    }

    /// What came without a word: see ``measure(_:_:at:)``.
    ///
    /// - Returns: false where the connection is to end.
    func charge(unseen bytes: Double, _ session: Session, _ client: Client, at now: Duration)
        -> Bool
    {
        let limits = settings.limits
        let cost = bytes / limits.unseenBytesOfOne
        guard session.isGuest else {
            // It has been read, whatever becomes of the connection.
            defer { owe(cost, .messages, session, client, at: now) }
            return mayOwe(cost, length: cost, .messages, session, at: now)
        }
        // Its address pays, so that the next one does not go on with it.
        _ = session.meter?.spend(cost, overdraft: limits.addressMessages.burst, at: now)
        return session.messages.take(cost, of: limits.guestMessages, at: now)
    }

    // MARK: Pausing

    /// Pauses and resumes. With each tick, since the broker, which reads one packet of each client
    /// between two of them, undoes a pause when it writes to the client.
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

    /// To each person who waits the same, and of that to each of their devices.
    private func shareWhatIsLeft(at now: Duration) {
        let allowance = settings.limits.everybodysMessages
        let left = everybodys.left(of: allowance, at: now)
        var devices: [ObjectIdentifier: [ObjectIdentifier: Meters.Meter]] = [:]
        for (_, session) in debtors where session.flow.owed.contains(.messages) {
            guard let meter = session.meter, session.isConnected else { continue }
            devices[ObjectIdentifier(meter.above ?? meter), default: [:]][
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

    /// Its connection ended.
    func endFlow(of session: Session, at now: Duration) {
        endPause(of: session, at: now)
        held -= session.flow.held
        session.flow.held = 0
    }
}
