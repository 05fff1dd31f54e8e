import Contract
import Languages
import Store
import Tracking

/// Deliveries held for a channel's quiet hours.
extension Channels {
    /// Holds a delivery that is due in quiet hours and respects them. Of the same news about the
    /// same person in the same group, only the newest is held.
    ///
    /// - Returns: whether it is held.
    func holdBack(_ delivery: DeliveryRow, to channel: ChannelRow) throws -> Bool {
        guard delivery.respectsQuietHours, let end = channel.quiet?.end(at: now), end > now else {
            return false
        }
        var held = delivery
        held.due = end
        // It must not expire before the hours are over, whatever they are.
        if !delivery.isHeld { held.expiresAt = max(held.expiresAt, end + Channels.timeToArrive) }
        try transaction.hold(held)
        return true
    }

    /// Combines many held deliveries into one message.
    ///
    /// - Returns: whether they were combined, so that none of them is sent individually.
    func tellTogether(_ delivery: DeliveryRow, to channel: ChannelRow) throws -> Bool {
        guard delivery.isHeld else { return false }
        let held = try transaction.heldDeliveries(to: channel.id).filter { isWanted($0) }
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

    /// Returns the message; a held one states its time, in the zone of the quiet hours.
    func words(of delivery: DeliveryRow, to channel: ChannelRow) -> ChannelMessage {
        guard delivery.isHeld else { return delivery.message }
        let message = delivery.message
        let values: [String: Phrase.Value] = [
            "time": .clock(message.at, near: message.at), "text": .text(message.text),
        ]
        return message.worded(say([Phrase(.toldLater, values)], to: channel))
    }

    /// Changes the quiet hours, and releases held deliveries to be checked again.
    func change(_ quiet: ChannelCommand.Quiet, of channel: inout ChannelRow) throws {
        switch quiet {
        case .never: channel.quiet = nil
        case .hours(let hours):
            guard hours.zone != nil else {
                let reason = "is not a time zone name"
                throw Problem(invalid: [.init(field: "quiet.timeZone", reason: reason)])
            }
            channel.quiet = hours
        }
        try transaction.releaseHeldDeliveries(to: channel.id, at: now)
        state.next = min(state.next ?? now, now)
    }

    /// The maximum number of held deliveries that are sent individually.
    private static let toldOneByOne = 5
    private static let timeToArrive = Duration.seconds(3_600)
}

extension DeliveryRow {
    /// Whether it waits for the end of quiet hours. Calls for help and their end do not, nor do
    /// codes and tests, warnings about access to the account, and checks, which are silent.
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
    /// The zone's clock; nil if the zone is unknown, in which case nothing waits.
    var zone: ZoneClock? { ZoneClock(timeZone) }

    /// Returns the end of the quiet hours at that time; nil outside of them.
    func end(at now: Timestamp) -> Timestamp? {
        guard let zone else { return nil }
        return end(at: now) { zone.offset(at: $0) }
    }
}
