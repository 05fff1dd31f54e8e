import Contract
import MQTT
import Schedules
import Store
import Tracking

/// Notices about arrivals and departures.
extension Geofences {
    func tell(
        _ crossing: GeofencePresence.Crossing, of person: Person, _ presence: GeofencePresence,
        at fence: GeofenceRow
    ) throws {
        let since = presence.since ?? now
        let news = Notice.News.placeCrossed(
            fence.place.id, name: fence.place.name, crossing, at: since)
        var told: Set<UserID> = []
        for id in (state.rulesAt[fence.place.id] ?? []).sorted() {
            guard let row = state.rules[id], row.rule.event == crossing.event, row.known == nil,
                state.agrees(person.id, to: id), row.rule.isOn(at: since),
                try mayReport(person.id, by: row)
            else { continue }
            if let last = state.toldAt[id]?[person.id], now < last + Geofences.pause, now >= last {
                continue
            }
            state.toldAt[id, default: [:]][person.id] = now
            count("geofence-rules-told")
            for reader in try readers(of: row, about: person) {
                // Once even for several rules, and no more people than one rule can notify.
                guard told.count < BridgeSettings.maximumToldOfPlaces,
                    told.insert(reader.id).inserted
                else { continue }
                try tellReader(reader, news, of: person)
                showInApp(of: reader, crossing, of: person, at: fence.place, since)
            }
            if row.rule.isOnce { try removeRule(id) }
        }
    }

    /// The minimum time between a rule's notices about the same person.
    private static let pause = Duration.seconds(60)

    /// Returns the rule's readers, without those who have blocked the person.
    func readers(of row: GeofenceRuleRow, about person: Person) throws -> [Person] {
        let all: [Person] =
            switch row.told {
            case .maker: [memory.people[row.user]].compactMap { $0 }
            case .user(let user): [memory.people[user]].compactMap { $0 }
            case .group(let group):
                Array(
                    (memory.groups[group]?.members ?? []).filter { $0 !== person }
                        .prefix(BridgeSettings.maximumToldOfPlaces))
            }
        let blockers = try transaction.blockers(of: person.id, among: all.map(\.id))
        return all.filter { !blockers.contains($0.id) }
    }

    /// Publishes the event for OwnTracks apps, as a region transition.
    private func showInApp(
        of reader: Person, _ crossing: GeofencePresence.Crossing, of person: Person,
        at place: OwnPlace, _ since: Timestamp
    ) {
        guard reader.usesOwnTracks, reader !== person else { return }
        let topic = Topic.ownTracksMember(viewer: reader.name, person.name, suffix: "event")
        publish(
            Publication(
                topic: topics.string(topic),
                payload: OwnTracksView.transition(of: person.name, crossing, at: place, since),
                qos: .atLeastOnce))
    }

    /// Notifies a reader about a rule, unless they have blocked the person whom it is about.
    ///
    /// - Parameter pace: nil for the default pace of the news.
    func tell(
        _ reader: Person, _ news: Notice.News, of person: Person?, pace: Notice.News.Pace? = nil
    ) throws {
        if let person, try transaction.hasBlocked(reader.id, person.id) { return }
        try tellReader(reader, news, of: person, pace: pace)
    }

    /// Does the same for a reader who has not blocked the person.
    func tellReader(
        _ reader: Person, _ news: Notice.News, of person: Person?, pace: Notice.News.Pace? = nil
    ) throws {
        let name = person?.distinctName(for: reader)
        look(at: name?.looked ?? 0)
        try areas.notices.add(news, for: reader, about: person, named: name?.name, pace: pace)
    }
}

extension GeofencePresence.Crossing {
    fileprivate var event: GeofenceRule.Event {
        switch self {
        case .arrived: .arrives
        case .left: .leaves
        }
    }
}

extension GeofenceRule {
    /// Whether the rule applies on that day and at that time.
    fileprivate func isOn(at moment: Timestamp) -> Bool {
        guard let hours else { return true }
        guard let clock = ZoneClock(hours.timeZone) else { return false }
        let local = CivilDateTime(moment, offset: clock.offset)
        return hours.contains(
            weekday: local.date.weekday.rawValue, minute: local.time.seconds / 60)
    }
}
