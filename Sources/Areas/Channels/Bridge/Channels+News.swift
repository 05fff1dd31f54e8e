import Contract
import Languages
import Store
import Tracking

/// Messages and their receivers.
extension Channels {
    /// Sends an alert to the channels of the members of its group who subscribe to its kind.
    ///
    /// - Parameter informed: members who know already.
    func tell(
        _ alert: AlertMessage, of person: Person, in group: Group, except informed: Set<UserID>
    ) throws {
        let news = News(alert.alert.kind)
        let id = alert.alert.id
        let data = alert.payload
        let isCall = alert.alert.kind.isCall
        for channel in try transaction.channels(ofMembersOf: group.id)
        where channel.user != person.id && channel.news.contains(news)
            && !informed.contains(channel.user)
        {
            // A newer message replaces the waiting ones, so that an end never follows the next
            // beginning, and one call does not arrive ten times in a row.
            if news == .sos {
                try transaction.deleteDeliveries(
                    ofCallsOf: person.id, in: group.id, to: channel.id)
            }
            let words: [String: Phrase.Value] = [
                "text": .text(say(alert.phrases, to: channel)), "group": .text(group.name),
            ]
            let message = ChannelMessage(
                id: alert.repetition > 0 ? "\(id)-\(alert.repetition)" : id.description,
                kind: alert.alert.kind.rawValue,
                title: news == .sos
                    ? say(
                        [Phrase(.sosTitle, ["name": .text(alert.shownName)])],
                        to: channel)
                    : alert.shownName,
                text: say([Phrase(.inGroup, words)], to: channel), at: alert.alert.at,
                view: "#alerts", alert: id, data: data)
            try deliver(
                message, to: channel, isCall ? .sos : news == .sos ? .alert : urgency(of: news),
                until: now + Channels.usefulFor, about: person, in: group)
        }
    }

    private func urgency(of news: News) -> DeliveryRow.Urgency {
        news == .alerts ? .alert : .notice
    }

    /// - Parameter due: when to send it.
    func tell(_ notice: Notice, to person: Person, about other: Person?, due: Timestamp) throws {
        let phrases = notice.phrases(for: person.name)
        let usual = now + Channels.usefulFor
        let urgent = notice.news.isUrgent(until: usual)
        for channel in try transaction.channels(of: person.id)
        where channel.confirmedAt != nil && (urgent != nil || channel.news.contains(.notices)) {
            let message = ChannelMessage(
                id: notice.id.description, kind: notice.news.kind.name, title: "Kith",
                text: say(phrases, to: channel), at: now, view: "#people", data: notice.payload)
            try deliver(
                message, to: channel, urgent == nil ? .notice : .sos, due: due,
                until: urgent ?? usual, about: other)
        }
    }

    /// Stops sending the alert.
    ///
    /// - Parameter reader: the receiver; nil for all.
    func withdraw(_ alert: UUIDv7, of reader: Person? = nil) throws {
        try transaction.deleteDeliveries(ofAlert: alert, to: reader?.id)
    }

    /// Suspends the deliveries of an answered call for help, unless the answer is withdrawn.
    func suspend(callsOf person: Person, in group: Group) throws {
        try transaction.suspendDeliveries(
            ofCallsOf: person.id, in: group.id, true, usefulFor: Channels.usefulFor)
    }

    /// Resumes the deliveries of a call for help that is open again, to channels that it had not
    /// reached.
    func resume(callsOf person: Person, in group: Group) throws {
        try transaction.suspendDeliveries(
            ofCallsOf: person.id, in: group.id, false, usefulFor: Channels.usefulFor)
        state.next = min(state.next ?? now, now)
    }

    /// Withdraws a notice that a newer one supersedes.
    ///
    /// - Returns: when it was due to be sent; nil if it was not waiting.
    func withdraw(notice id: UUIDv7, of person: Person) throws -> Timestamp? {
        var due: Timestamp?
        for waiting in try transaction.deliveries(of: id.description, to: person.id) {
            try transaction.deleteDelivery(of: id.description, to: waiting.channel)
            // A delivery that failed or was held for quiet hours is not delayed to be combined.
            let isNew = waiting.attempts == 0 && !waiting.isHeld
            due = [due, isNew ? waiting.due : now].compactMap { $0 }.min()
        }
        return due
    }

    /// Checks whether channels that have not been used for long still work.
    ///
    /// - Returns: whether there may be more.
    func check(triedBefore moment: Timestamp, atMost limit: Int) throws -> Bool {
        let silent = try transaction.channels(triedBefore: moment, atMost: limit)
        for var channel in silent {
            channel.triedAt = now
            try transaction.save(channel)
            // A weekly mail to check that mail works would be a nuisance.
            guard channel.kind != .mail else { continue }
            let message = ChannelMessage(
                id: UUIDv7(at: now, random: (random.next(), random.next())).description,
                kind: "check", title: say([Phrase(.reachTitle)], to: channel),
                text: say([Phrase(.reachCheck)], to: channel), at: now, view: "#me")
            try deliver(message, to: channel, .check, until: now + Channels.usefulFor)
        }
        return silent.count >= limit
    }

    /// Returns the text in the language of the channel's owner, with times in the zone of their
    /// quiet hours.
    func say(_ phrases: [Phrase], to channel: ChannelRow) -> String {
        let language = memory.people[channel.user]?.profile.language ?? .english
        let zone = channel.quiet?.timeZone
        return settings.languages.say(
            phrases, to: Reader(language, offset: zone.flatMap { ZoneClock($0) }?.seconds))
    }

    /// Returns the channels by which an SOS would now reach the group's members.
    func reached(in group: Group) throws -> [UserID: [Reach]] {
        let channels = try transaction.channels(ofMembersOf: group.id)
        let open = channels.filter { channel in
            memory.people[channel.user].map { !isLockedOut($0) } ?? false
        }
        return Dictionary(grouping: open, by: \.user)
            .mapValues { $0.map { Reach($0.channel) } }
    }

    /// Writes a message to be sent to the channel.
    ///
    /// - Parameter due: when to send it; nil for now.
    func deliver(
        _ message: ChannelMessage, to channel: ChannelRow, _ urgency: DeliveryRow.Urgency,
        due: Timestamp? = nil, until end: Timestamp, about other: Person? = nil,
        in group: Group? = nil
    ) throws {
        try transaction.insert(
            DeliveryRow(
                channel: channel.id, user: channel.user, message: message, about: other?.id,
                group: group?.id, urgency: urgency, due: due ?? now, expiresAt: end))
        try transaction.keepDeliveries(to: channel.id, newest: BridgeSettings.maximumDeliveries)
        state.next = min(state.next ?? now, now)
    }

    static let usefulFor = Duration.seconds(86_400)
}
