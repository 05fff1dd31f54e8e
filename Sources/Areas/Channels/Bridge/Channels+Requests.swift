import Contract
import Crypto
import Foundation
import Languages
import Store
import Tracking
import WebPush
import Webhooks

extension Channels {
    func add(
        _ target: ChannelTarget, _ label: DisplayName?, by person: Person, on device: Device
    ) throws -> [UInt8] {
        try checkIsOffered(target.kind)
        let own = try transaction.channels(of: person.id)
        if let known = own.first(where: { $0.kind == target.kind && $0.address == target.address })
        {
            if isStillRight(known, target, on: device) {
                if case .mail = target {
                    for area in areas.all { try area.proved(known.address, of: person) }
                }
                return answer(known)
            }
            // A person who requests another code, or lost the secret, gets a new one.
            try transaction.deleteChannel(known.id)
        } else if own.count >= BridgeSettings.maximumChannels {
            let limit = BridgeSettings.maximumChannels
            throw Problem(.tooMany, "A user may have at most \(limit) channels.")
        }
        var channel = row(of: target, label, of: person, on: device)
        if case .push(let subscription) = target { try takeOver(subscription) }
        var code: ConfirmationCode?
        if case .mail = target {
            code = try makeCode(for: &channel, person)
        } else {
            channel.confirmedAt = now
        }
        // Before it is inserted: the notice is for the other channels.
        try noteChange(of: channel, isAdded: true, by: person)
        try transaction.insert(channel)
        if let code { try send(code, to: channel) }
        return answer(channel)
    }

    /// Whether adding it again would change nothing.
    private func isStillRight(_ known: ChannelRow, _ target: ChannelTarget, on device: Device)
        -> Bool
    {
        switch target {
        case .push(let subscription):
            known.device == device.id && known.secret == subscription.authenticationSecret
                && known.publicKey == Array(subscription.publicKey.x963Representation)
        case .mail: known.confirmedAt != nil
        case .webhook: false
        }
    }

    private func answer(_ channel: ChannelRow) -> [UInt8] {
        ChannelResult.added.bytes(of: (channel.channel, channel.webhookSecret?.text))
    }

    private func row(
        of target: ChannelTarget, _ label: DisplayName?, of person: Person, on device: Device
    ) -> ChannelRow {
        var publicKey: [UInt8]?
        var secret: [UInt8]?
        let usual: String
        switch target {
        case .push(let subscription):
            publicKey = Array(subscription.publicKey.x963Representation)
            secret = subscription.authenticationSecret
            usual = "Browser"
        case .mail(let address): usual = address.text
        case .webhook(let url):
            secret = (0..<Channels.secretLength).map { _ in UInt8(truncatingIfNeeded: random.next())
            }
            usual = URL(string: url)?.host() ?? "Webhook"
        }
        return ChannelRow(
            id: UUIDv7(at: now, random: (random.next(), random.next())), user: person.id,
            device: target.kind == .push ? device.id : nil, kind: target.kind,
            address: target.address, label: label?.text ?? usual, publicKey: publicKey,
            secret: secret, news: News.usual, addedAt: now)
    }

    /// Ends earlier subscriptions of the browser, which belongs to the user logged in there. Only
    /// the browser itself knows the keys.
    private func takeOver(_ subscription: PushSubscription) throws {
        for other in try transaction.channels(at: subscription.endpoint)
        where other.secret == subscription.authenticationSecret
            && other.publicKey == Array(subscription.publicKey.x963Representation)
        {
            try transaction.deleteChannel(other.id)
        }
    }

    private func checkIsOffered(_ kind: ChannelKind) throws {
        if let reason = settings.channels.reason(against: kind) {
            throw Problem(.notAllowed, reason)
        }
    }

    func list(of person: Person) throws -> [UInt8] {
        let (channels, key) = (try transaction.channels(of: person.id), try pushKey())
        let notOffered = ChannelKind.allCases.compactMap { kind in
            settings.channels.reason(against: kind).map { (kind: kind, why: $0) }
        }
        return ChannelResult.list.bytes(
            of: (channels.map(\.channel), settings.channels.offered, notOffered, key.publicKey))
    }

    func update(
        _ id: UUIDv7, news: Set<News>?, label: DisplayName?, quiet: ChannelCommand.Quiet?,
        by person: Person
    ) throws -> [UInt8] {
        var channel = try channel(id, of: person)
        if let news { channel.news = news }
        if let label { channel.label = label.text }
        if let quiet { try change(quiet, of: &channel) }
        return try saved(channel)
    }

    func test(_ id: UUIDv7, by person: Person) throws -> [UInt8] {
        let channel = try channel(id, of: person)
        guard channel.confirmedAt != nil else {
            throw Problem(.notAllowed, "Nothing is sent to the address until it is confirmed.")
        }
        let sent = UUIDv7(at: now, random: (random.next(), random.next()))
        let message = ChannelMessage(
            id: sent.description, kind: "test", title: say([Phrase(.reachTitle)], to: channel),
            text: say([Phrase(.reachTest)], to: channel), at: now, view: "#me")
        try deliver(message, to: channel, .awaited, until: now + Channels.awaitedFor)
        return ChannelResult.message.bytes(of: sent)
    }

    func remove(_ id: UUIDv7, by person: Person) throws -> [UInt8] {
        let channel = try channel(id, of: person)
        try transaction.deleteChannel(channel.id)
        try noteChange(of: channel, isAdded: false, by: person)
        return Array("{}".utf8)
    }

    /// Notifies the person, in case someone else changed where their news is sent. For a browser,
    /// the notice of its login suffices.
    func noteChange(of channel: ChannelRow, isAdded: Bool, by person: Person) throws {
        guard channel.kind != .push, channel.confirmedAt != nil else { return }
        for area in areas.all {
            try area.notify(person, of: .channel(label: channel.label, isAdded: isAdded))
        }
    }

    /// Deletes the channels of a browser whose login ends.
    func end(with device: Device) throws {
        for channel in try transaction.channels(of: device.id) {
            try transaction.deleteChannel(channel.id)
        }
    }

    // MARK: Helpers

    func channel(_ id: UUIDv7, of person: Person) throws -> ChannelRow {
        let found = try transaction.channel(id)
        guard let found, found.user == person.id else {
            throw Problem(.unknownChannel, "You have no channel with that id.")
        }
        return found
    }

    func saved(_ channel: ChannelRow) throws -> [UInt8] {
        try transaction.save(channel)
        return ChannelResult.channel.bytes(of: channel.channel)
    }

    /// Returns the key that identifies the sender of pushes, creating it on first use.
    func pushKey() throws -> VAPIDKey {
        if let stored = try transaction.serviceKey("push") {
            guard let key = key(stored) else {
                throw StoreError(.decode, reason: "the push key is damaged")
            }
            return key
        }
        while true {
            let bytes = (0..<32).map { _ in UInt8(truncatingIfNeeded: random.next()) }
            // Not every number is a valid key.
            guard let key = key(bytes) else { continue }
            try transaction.setServiceKey("push", bytes)
            return key
        }
    }

    private func key(_ bytes: [UInt8]) -> VAPIDKey? {
        do { return try VAPIDKey(bytes: bytes) } catch { return nil }
    }

    /// Bytes of a webhook's secret.
    private static let secretLength = 32
    /// The time that a person waits for a test in front of the screen.
    static let awaitedFor = Duration.seconds(600)
}

extension ChannelRow {
    /// Nil for other kinds of channels.
    var webhookSecret: WebhookSecret? {
        kind == .webhook ? secret.flatMap { WebhookSecret(bytes: $0) } : nil
    }
}
