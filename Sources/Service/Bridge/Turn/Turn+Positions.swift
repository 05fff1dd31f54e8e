extension Turn {
    /// Returns whether the groups are shown ordinary positions of the person in this turn; these
    /// are held back while the person's budget is overdrawn. Urgent changes are always shown.
    func shows(_ person: Person) -> Bool {
        if let known = showing[person.id] { return known }
        let shows = person.budget.take(.position, at: now)
        showing[person.id] = shows
        return shows
    }

    /// Shows held-back positions of people whose budgets allow it now.
    func releasePositions() {
        for (id, person) in memory.heldBack.sorted(by: { $0.key < $1.key }) where shows(person) {
            memory.heldBack[id] = nil
            for area in areas.all { area.release(person) }
        }
    }
}
