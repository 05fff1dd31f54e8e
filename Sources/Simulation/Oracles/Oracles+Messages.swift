import Contract
import MQTT
import Store
import Tracking

extension Oracles {
    // MARK: Published by the bridge

    func published(_ message: Message, by wire: SimulatedSocket) {
        guard case .system(.bridge) = wire.principal else { return }
        let topic = world.topics.parse(message.topic)
        switch topic {
        case .member: checkVersion(message)
        case .alerts:
            let alert = Row.json(message.payload)
            // Nothing is stored about a deleted account.
            if alert["kind"]?.text == "sos-account-deleted" { break }
            let id = alert["id"]?.text ?? "?"
            if !raisedIDs.contains(id) {
                fail("told what is stored", "alert \(id) was told and is not in the store")
            }
            publishedAlerts[id, default: []].append(world.steady)
        case .chat: chat.published(message.payload)
        default: break
        }
        if case .guestReplies = topic { return }
        if holdsSecret(message.payload) {
            fail("secrets", "a password or a token was published on \(message.topic)")
        }
    }

    private func checkVersion(_ message: Message) {
        guard !message.payload.isEmpty else { return }
        let version = Row.json(message.payload)["version"]?.integer ?? -1
        if let last = versions[message.topic] {
            if version < last.version {
                fail("versions", "\(message.topic): \(version) after \(last.version)")
            } else if version == last.version, last.payload != message.payload {
                fail("versions", "\(message.topic): two states of version \(version)")
            }
        }
        versions[message.topic] = (version, message.payload)
    }

    func brokerWasKilled(_ lastSave: Duration) {
        for (id, times) in publishedAlerts {
            publishedAlerts[id] = times.filter { $0 < lastSave }
        }
        chat.brokerWasKilled(lastSave)
        for phone in world.phones { phone.forgetSubscriptions(after: lastSave) }
        unacknowledged = [:]
    }

    // MARK: Delivered to somebody

    /// How long the gate may take to cut off a client for which the broker has queued messages that
    /// it may no longer receive (the time of a delivery, and the ticks in between).
    private static let patience = Duration.milliseconds(400)

    func delivered(_ message: Message, to wire: SimulatedSocket, isQueued: Bool) {
        guard let place = policy.match(of: message.topic) else {
            return fail("access", "\(wire.clientID) got \(message.topic)")
        }
        guard case .device(let device, let user) = wire.principal else {
            if !policy.mayReceive(place, wire.principal, AccessFacts()) {
                fail("access", "\(wire.clientID) got \(message.topic)")
            }
            return
        }
        if isQueued, let change = changedAt[user],
            world.steady - change <= Oracles.patience
        {
            return
        }
        let rights = access[user]
        checkLocation(message, for: user)
        let facts = AccessFacts(
            groups: rights?.groups ?? [], friendsInSight: rights?.friendsInSight ?? [])
        let isReply =
            message.topic == world.topics.string(.replies(user, device: device, suffix: ""))
        let isLoggedIn = wire.tokenHash != nil && rights?.tokenHashes[device] == wire.tokenHash
        if !(isLoggedIn || isReply) || !policy.mayReceive(place, wire.principal, facts) {
            fail("access", "\(wire.clientID) got \(message.topic)")
        }
    }

    /// Checks against the lists themselves rather than the rights derived from them.
    private func checkLocation(_ message: Message, for viewer: Name) {
        guard case .location(let owner) = world.topics.parse(message.topic), owner != viewer
        else { return }
        do {
            let isShown = try reader.transaction { transaction throws(StoreError) in
                guard let from = try transaction.user(owner)?.id,
                    let to = try transaction.user(viewer)?.id
                else { return false }
                let row = try transaction.friend(to, of: from)
                let isHidden = try transaction.hasBlocked(to, from)
                return row?.sharedSince != nil && !isHidden
            }
            if !isShown { fail("locations", "\(viewer) got where \(owner) is") }
        } catch {
            fail("readable", "the database cannot be read: \(error)")
        }
    }

    // MARK: Acknowledged by the bridge

    func bridgeReads(_ message: Message, over wire: SimulatedSocket) {
        if message.qos != .atMostOnce {
            unacknowledged[.init(client: wire.clientID, packet: message.packetID)] = message
        }
    }

    func bridgeAcknowledges(_ id: UInt16, over wire: SimulatedSocket) {
        let delivery = Delivery(client: wire.clientID, packet: id)
        guard let message = unacknowledged.removeValue(forKey: delivery) else { return }
        let sent: (user: Name, device: Name)
        switch world.topics.parse(message.topic) {
        case .fix(let user, let device): sent = (user, device)
        case .ownTracks(let user, let device, ""): sent = (user, device)
        default: return
        }
        for takenAt in world.expectedFixes(in: message.payload)
        where !isStored(takenAt, sent.user, sent.device) && access[sent.user] != nil {
            // A fix in the future is refused.
            guard takenAt.milliseconds <= world.wall.milliseconds + 50_000 else { continue }
            fail(
                "acknowledged is stored",
                "\(sent.user).\(sent.device): the fix of \(takenAt.milliseconds) is not there")
        }
    }

    func isStored(_ takenAt: Timestamp, _ user: Name, _ device: Name) -> Bool {
        guard let id = deviceID(DeviceKey(user: user, device: device)) else { return false }
        return storedFixes.contains(StoredFix(device: id, takenAt: takenAt.milliseconds))
    }
}
