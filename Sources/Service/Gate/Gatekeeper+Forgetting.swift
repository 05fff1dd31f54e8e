internal import Contract

extension Gatekeeper {
    func forgetLeaving(at now: Duration) {
        let gone = leaving.prefix { now - $0.at >= Gatekeeper.memoryForWills }
        for (client, session, _) in gone
        where sessions[client] === session && !session.isConnected {
            remove(session, client, at: now)
        }
        leaving.removeFirst(gone.count)
    }

    private static let memoryForWills = Duration.seconds(1)

    /// Forgets sessions that the broker itself has expired by now.
    func forgetAbsent(at now: Duration) {
        guard now - lastSweep >= Gatekeeper.sweeping else { return }
        lastSweep = now
        for (client, session) in sessions {
            guard let left = session.leftAt, now - left > settings.limits.memoryForSessions
            else { continue }
            remove(session, client, at: now)
        }
    }

    private static let sweeping = Duration.seconds(3600)

    func remove(_ session: Session, _ client: Client, at now: Duration) {
        if session.isConnected { noteDeparture(session, client, at: now) }
        sessions[client] = nil
        if clientsByID[session.clientID] == client { clientsByID[session.clientID] = nil }
        guard let holder = session.holder else { return }
        clientsByHolder[holder]?.remove(client)
        if clientsByHolder[holder]?.isEmpty == true {
            clientsByHolder[holder] = nil
            rights.forget(holder)
        }
    }
}
