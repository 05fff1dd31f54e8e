import Contract
import Store
import Tracking

extension ShareLinks {
    /// Publishes the person's links immediately, except that a position waits for the person's
    /// budget.
    func show(_ person: Person) throws {
        guard let links = state.links[person.id] else { return }
        let isHeldBack = !turn.shows(person)
        if isHeldBack { memory.heldBack[person.id] = person }
        try charge(person.budget) {
            for link in links {
                let view = link.view(of: person)
                if isHeldBack, view.fix != nil { continue }
                retain(.share(link.id), view.payload)
            }
        }
    }

    static func expects(_ topic: Topic, _ memory: Memory) -> Bool? {
        guard case .listed(.share, let names) = topic, let share = names.share else { return nil }
        return memory.state(ShareLinkState.self).owners[share] != nil
    }

    static func retained(for person: Person, _ memory: Memory) -> [(topic: Topic, payload: [UInt8])]
    {
        (memory.state(ShareLinkState.self).links[person.id] ?? []).map {
            (.share($0.id), $0.view(of: person).payload)
        }
    }
}

extension ShareLinkRow {
    /// Whether the link's journey is in progress, or suspended by an SOS.
    func shows(_ person: Person) -> Bool {
        person.tracker.plannedJourney.map { $0.number == journey } ?? false
    }

    /// Returns what the link's holder sees.
    func view(of person: Person) -> SharedView {
        let isOver = what == .journey && (journeyEnd != nil || !shows(person))
        let fix = what == .journey ? person.tracker.latest : person.tracker.shown
        return SharedView(
            name: person.displayName, what: what, until: until,
            fix: isOver || person.tracker.pausedUntil != nil
                ? nil : fix?.shown(precision),
            journey: what == .journey && !isOver ? person.tracker.plannedJourney : nil,
            end: journeyEnd)
    }
}
