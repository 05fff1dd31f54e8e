import Contract
import JSON
import Tracking

extension Groups {
    func startSharing(_ selection: GroupSelection, until: Timestamp?, _ person: Person)
        throws -> [UInt8]
    {
        let groups = try groups(selection, of: person)
        let effects = try person.tracker.startSharing(with: groups.map(\.id), until: until, at: now)
        try turn.apply(effects, to: person)
        return states(of: person, in: groups, withWatchers: true)
    }

    func stopSharing(_ selection: GroupSelection, _ person: Person) throws -> [UInt8] {
        let groups = try groups(selection, of: person)
        let effects = try person.tracker.stopSharing(with: groups.map(\.id), at: now)
        try turn.apply(effects, to: person)
        return states(of: person, in: groups)
    }

    func pauseSharing(until: Timestamp, _ person: Person) throws -> [UInt8] {
        let effects = try person.tracker.pause(until: until, at: now)
        try turn.apply(effects, to: person)
        return JSONWriter.object { json in
            json.key("pausedUntil")
            json.time(until)
        }
    }

    func resumeSharing(_ person: Person) throws -> [UInt8] {
        try turn.apply(person.tracker.resume(at: now), to: person)
        return Array("{}".utf8)
    }

    func setPrecision(_ precision: Precision, for key: GroupKey, _ person: Person)
        throws -> [UInt8]
    {
        let group = try group(key, of: person)
        let effects = try person.tracker.show(precision, to: group.id)
        try turn.apply(effects, to: person)
        return JSONWriter.object { json in
            json.key("group")
            json.string(group.key.text)
            json.key("precision")
            json.string(precision.rawValue)
        }
    }

    /// Returns a page of members, ordered by name.
    ///
    /// - Parameter withReach: whether to include the channels by which each can be reached.
    func getMembers(of key: GroupKey, after name: Name?, withReach: Bool, by person: Person)
        throws -> [UInt8]
    {
        let group = try group(key, of: person)
        var rest = look(through: group.members)
        if let name { rest.removeAll { $0.name <= name } }
        rest.sort { $0.name < $1.name }
        var page = ListPage()
        let reached = withReach ? try areas.channels.reached(in: group) : [:]
        page.fill(Array(rest.prefix(ListPage.rows))) { member in
            guard let state = state(of: member, in: group) else { return nil }
            let own = withReach ? reached[member.id] ?? [] : nil
            return (member.name.text, { $0.memberState(state, reached: own) })
        }
        return page.result("members")
    }

    func state(of person: Person, in group: Group) -> MemberState? {
        person.tracker.session(in: group.id).map {
            MemberState(of: person, in: $0, memory, settings.rules)
        }
    }

    /// Returns the new states of the requester, by group, and optionally the members who see them.
    private func states(of person: Person, in groups: [Group], withWatchers: Bool = false)
        -> [UInt8]
    {
        JSONWriter.object { json in
            json.key("states")
            json.array(groups) { json, group in
                json.object { json in
                    json.key("group")
                    json.string(group.key.text)
                    json.key("state")
                    json.string(person.tracker.session(in: group.id)?.state.name ?? "inactive")
                }
            }
            guard withWatchers else { return }
            json.watchers(of: person, in: groups)
        }
    }
}
