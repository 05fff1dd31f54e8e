import Contract
import MQTT
import Store
import Tracking

extension Oracles {
    // MARK: Published by the bridge

    func published(_ message: Message, by wire: SimulatedSocket) {
        guard case .system(.bridge) = wire.principal else { return }
        let topic = world.topics.parse(message.topic)
        if let topic { for area in world.areas { area.published(message, on: topic) } }
        if let topic, world.areas.contains(where: { $0.maySaySecrets(on: topic) }) { return }
        if holdsSecret(message.payload) {
            fail("secrets", "a password or a token was published on \(message.topic)")
        }
    }

    func brokerWasKilled(_ lastSave: Duration) {
        for area in world.areas { area.brokerWasKilled(lastSave) }
        for phone in world.phones { phone.forgetSubscriptions(after: lastSave) }
        unacknowledged = [:]
    }

    private func isSubscribed(_ service: Name, to user: Name) -> Bool {
        let access = read { try $0.access(of: user) }
        return access??.facts.services.contains(service) ?? false
    }

    // MARK: Delivered to clients

    /// How long the gate may take to disconnect a client for which the broker has queued messages
    /// that it may no longer receive (the time of a delivery, and the ticks in between).
    static let patience = Duration.milliseconds(400)

    func delivered(_ message: Message, to wire: SimulatedSocket, isQueued: Bool) {
        guard let place = policy.match(of: message.topic) else {
            return fail("access", "\(wire.clientID) got \(message.topic)")
        }
        if case .bearer(let grant) = wire.principal, grant.kind == .observer {
            return delivered(message, at: place, to: grant, wire, isQueued: isQueued)
        }
        guard case .device(let device, let user) = wire.principal else {
            if case .bearer(let share) = wire.principal, !isOpen(share, wire) {
                fail("access", "\(wire.clientID) got \(message.topic) after its end")
            }
            var facts = AccessFacts()
            if case .service(let service) = wire.principal, let user = policy.sharer(at: place),
                isSubscribed(service, to: user)
            {
                facts.subscribedUsers = [user]
            }
            if !policy.mayReceive(place, wire.principal, facts) {
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
        if let topic = world.topics.parse(message.topic) {
            for area in world.areas { area.delivered(message, on: topic, to: user) }
        }
        let facts = rights?.facts ?? AccessFacts()
        let isReply =
            message.topic == world.topics.string(.replies(user, device: device, suffix: ""))
        let isLoggedIn = wire.tokenHash != nil && rights?.tokenHashes[device] == wire.tokenHash
        if !(isLoggedIn || isReply) || !policy.mayReceive(place, wire.principal, facts) {
            fail("access", "\(wire.clientID) got \(message.topic)")
        }
    }

    private func isOpen(_ share: Grant, _ wire: SimulatedSocket) -> Bool {
        let access = read { try $0.access(of: share) }
        return access??.tokenHash == wire.tokenHash && wire.tokenHash != nil
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
        guard let sent = sender(of: message) else { return }
        for takenAt in world.expectedFixes(in: message.payload)
        where !isStored(takenAt, sent.user, sent.device) && access[sent.user] != nil {
            // A fix in the future is refused.
            guard takenAt.milliseconds <= world.wall.milliseconds + 50_000 else { continue }
            fail(
                "acknowledged is stored",
                "\(sent.user).\(sent.device): the fix of \(takenAt.milliseconds) is not there")
        }
    }

    /// Returns whose fixes the message carries; nil if it carries none.
    private func sender(of message: Message) -> (user: Name, device: Name)? {
        guard let topic = world.topics.parse(message.topic) else { return nil }
        if case .fix(let user, let device) = topic { return (user, device) }
        for area in world.areas { if let sender = area.sender(of: topic) { return sender } }
        return nil
    }

    func isStored(_ takenAt: Timestamp, _ user: Name, _ device: Name) -> Bool {
        guard let id = deviceID(DeviceKey(user: user, device: device)) else { return false }
        return storedFixes.contains(StoredFix(device: id, takenAt: takenAt.milliseconds))
            || isCorrected(id)
    }

    /// Returns whether the device's clock is or was corrected: its fixes are stored, at other
    /// times.
    private func isCorrected(_ device: Int64) -> Bool {
        if correctedDevices.contains(device) { return true }
        _ = read { transaction in
            try transaction.trackers { saved, _ in
                for log in saved.logs where log.clock.offset != nil {
                    correctedDevices.insert(log.device.rawValue)
                }
            }
        }
        return correctedDevices.contains(device)
    }
}
