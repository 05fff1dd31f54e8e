import Contract
import Languages
import Store
import Tracking

/// What waits until a channel may be told of it.
extension Channels {
    /// Holds back what is due and not told in these hours. Of the same news about the same person
    /// in the same group, the newest is enough.
    ///
    /// - Returns: whether it waits.
    func holdBack(_ delivery: DeliveryRow, to channel: ChannelRow) throws(StoreError) -> Bool {
        guard delivery.respectsQuietHours, let end = channel.quiet?.end(at: now), end > now else {
            return false
        }
        var held = delivery
        held.due = end
        // It is not too late for it when the hours are over, whatever they are.
        if !delivery.isHeld { held.expiresAt = max(held.expiresAt, end + Channels.timeToArrive) }
        try transaction.hold(held)
        return true
    }

    /// Tells what was held back in one message, if it is much.
    ///
    /// - Returns: whether it does, so that nothing of it is to be sent by itself.
    func tellTogether(_ delivery: DeliveryRow, to channel: ChannelRow) throws(StoreError) -> Bool {
        guard delivery.isHeld else { return false }
        var held: [DeliveryRow] = []
        for row in try transaction.heldDeliveries(to: channel.id) {
            if try receiver(of: row) != nil { held.append(row) }
        }
        guard held.count > Channels.toldOneByOne else { return false }
        try transaction.deleteHeldDeliveries(to: channel.id)
        let alerts = held.count { $0.urgency == .alert }
        let message = ChannelMessage(
            id: UUIDv7(at: now, random: (random.next(), random.next())).description, kind: "held",
            title: say([Phrase(.heldTitle, ["count": .number(held.count)])], to: channel),
            text: say(
                (alerts == 0 ? [] : [Phrase(.heldAlerts, ["count": .number(alerts)])])
                    + [Phrase(.heldShown)], to: channel),
            at: now, view: held.contains { $0.message.alert != nil } ? "#alerts" : "#people")
        try deliver(
            message, to: channel, alerts == 0 ? .notice : .alert, until: now + Channels.usefulFor)
        return true
    }

    /// What was held back has the time in its words, by the clocks that made it wait.
    func words(of delivery: DeliveryRow, to channel: ChannelRow) -> ChannelMessage {
        guard delivery.isHeld else { return delivery.message }
        let message = delivery.message
        let values: [String: Phrase.Value] = [
            "time": .clock(message.at, near: message.at), "text": .text(message.text),
        ]
        return message.worded(say([Phrase(.toldLater, values)], to: channel))
    }

    /// Changes the hours. What waits is looked at again.
    func change(_ quiet: ChannelCommand.Quiet, of channel: inout ChannelRow) throws(Refused) {
        switch quiet {
        case .never: channel.quiet = nil
        case .hours(let hours):
            guard hours.zone != nil else {
                let reason = "is not the name of a time zone"
                throw .problem(
                    Problem(invalid: [.init(field: "quiet.timeZone", reason: reason)]))
            }
            channel.quiet = hours
        }
        try stored { [id = channel.id, now] transaction throws(StoreError) in
            try transaction.releaseHeldDeliveries(to: id, at: now)
        }
        state.next = min(state.next ?? now, now)
    }

    /// What is held back and not more than this is told as if it had not been.
    private static let toldOneByOne = 5
    private static let timeToArrive = Duration.seconds(3_600)
}

extension DeliveryRow {
    /// Calls for help, and what becomes of them, are told at any time, and so is what its owner
    /// waits for, and that somebody else may be getting into the account. A check disturbs nobody.
    var respectsQuietHours: Bool {
        switch urgency {
        case .sos, .awaited, .check: false
        case .alert, .notice:
            Alert.Kind(rawValue: message.kind).map { News($0) } != .sos
                && !Notice.News.isAboutAccount(message.kind)
        }
    }
}

extension QuietHours {
    /// Nil if there is no such zone, or none any more: then nothing waits.
    var zone: ZoneClock? { ZoneClock(timeZone) }

    /// When the hours that a moment lies in are over; nil if it lies in none.
    func end(at now: Timestamp) -> Timestamp? {
        guard let zone else { return nil }
        return end(at: now) { zone.offset(at: $0) }
    }
}
