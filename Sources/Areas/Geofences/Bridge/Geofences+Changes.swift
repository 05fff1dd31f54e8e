import Contract
import Numbers
import Store
import Tracking

/// Changes of places that rules depend on.
extension Geofences {
    /// Notifies users whose rules depend on the place; another user's rule is suspended until its
    /// maker confirms.
    func changed(_ fence: GeofenceRow, from before: OwnPlace, by person: Person) throws {
        let place = fence.place
        guard (place.name, place.circle) != (before.name, before.circle) else { return }
        var changes: [UserID: Notice.PlaceChange] = [:]
        for id in (state.rulesAt[place.id] ?? []).sorted() {
            guard var row = state.rules[id] else { continue }
            let known = row.known ?? .init(before)
            row.known = row.user == person.id || known == .init(place) ? nil : known
            if row != state.rules[id] {
                try transaction.save(row)
                state.set(row)
            }
            for reader in relying(on: row) where reader != person.id {
                // Makers always; others up to the number that one rule may notify.
                guard
                    reader == row.user || changes[reader] != nil
                        || changes.count < BridgeSettings.maximumToldOfPlaces
                else { continue }
                let change = Notice.PlaceChange(
                    place.id, from: known, to: place,
                    rule: reader == row.user && row.known != nil ? id : nil)
                changes[reader] = changes[reader].map { $0.joined(with: change) } ?? change
            }
        }
        for (reader, change) in changes.sorted(by: { $0.key < $1.key }) {
            guard let reader = memory.people[reader] else { continue }
            let news = Notice.News.placeChanged(
                try sinceSeen(change, place, by: reader, from: person))
            try tell(reader, news, of: person)
        }
        if place.circle != before.circle { try moved(fence, by: person) }
    }

    /// Returns the change relative to the state that the reader has seen, if an earlier notice is
    /// still unseen. A suspended rule knows the place as its maker does.
    private func sinceSeen(
        _ change: Notice.PlaceChange, _ place: OwnPlace, by reader: Person, from person: Person
    ) throws -> Notice.PlaceChange {
        let unseen = try transaction.unseenNotices(
            of: reader.id, like: .placeChanged(change), by: person.id
        ).first
        guard change.rule == nil, let before = unseen?.news.placeBefore else { return change }
        return Notice.PlaceChange(
            place.id, from: before.name, before.centre, radius: before.radius, to: place)
    }

    /// Returns the rule's maker and readers.
    private func relying(on row: GeofenceRuleRow) -> [UserID] {
        switch row.told {
        case .maker: [row.user]
        case .user(let user): [row.user, user]
        case .group(let group):
            [row.user]
                + (memory.groups[group]?.members ?? [])
                .prefix(BridgeSettings.maximumToldOfPlaces).map(\.id)
        }
    }

    /// Asks the watched people again, as the place differs from the one they agreed to. The person
    /// who moved it still agrees for themselves, and people who refused are not asked again.
    /// Earlier agreements stay on record, so that a rule about absence reports them as unknown.
    private func moved(_ fence: GeofenceRow, by person: Person) throws {
        let id = fence.place.id
        for rule in (state.rulesAt[id] ?? []).sorted() {
            for user in state.watched(by: rule) where user != person.id {
                let before = state.consents[rule]?[user]?.answeredAt
                try set(GeofenceConsentRow(rule: rule, user: user, answeredAt: before))
                guard let watched = memory.people[user] else { continue }
                try tell(watched, .placeRule(rule, place: fence.place.name, .asked), of: person)
            }
        }
        for rule in (state.rulesAt[id] ?? []).sorted() {
            for user in (state.consents[rule] ?? [:]).keys.sorted()
            where state.presences[user]?[id] != nil {
                try forgetPresence(of: user, at: id)
                try endWatching(user, at: id)
            }
        }
    }
}

extension Notice.PlaceChange {
    fileprivate init(
        _ fence: UUIDv7, from known: GeofenceRuleRow.KnownPlace, to place: OwnPlace, rule: UUIDv7?
    ) {
        self.init(
            fence, from: known.name, known.circle.centre,
            radius: Int(clamping: known.circle.radius.rounded()), to: place)
        self.rule = rule
    }

    fileprivate init(
        _ fence: UUIDv7, from name: String, _ centre: Coordinate, radius: Int, to place: OwnPlace
    ) {
        self.init(
            fence, name: place.name, was: name,
            metres: Int(clamping: centre.distance(to: place.circle.centre).rounded()),
            radius: Int(clamping: place.circle.radius.rounded()), radiusWas: radius,
            centreWas: centre, rule: nil)
    }

    /// Returns the greater of two changes by the same edit, if the reader knows the place by two
    /// rules.
    fileprivate func joined(with other: Notice.PlaceChange) -> Notice.PlaceChange {
        var change = other.metres > metres ? other : self
        change.rule = rule ?? other.rule
        return change
    }
}
