import Contract
import Tracking

extension Groups {
    func startSharing(_ selection: GroupSelection, until: Timestamp?, _ person: Person)
        throws -> [UInt8]
    {
        let groups = try groups(selection, of: person)
        let effects = try person.tracker.startSharing(with: groups.map(\.id), until: until, at: now)
        try turn.apply(effects, to: person)
        let (watchers, isWhole) = watchers(of: person, in: groups)
        return GroupResult.started.bytes(
            of: .init(
                states: states(of: person, in: groups), watchers: watchers, isWhole: isWhole))
    }

    func stopSharing(_ selection: GroupSelection, _ person: Person) throws -> [UInt8] {
        let groups = try groups(selection, of: person)
        let effects = try person.tracker.stopSharing(with: groups.map(\.id), at: now)
        try turn.apply(effects, to: person)
        return GroupResult.stopped.bytes(of: states(of: person, in: groups))
    }

    func pauseSharing(until: Timestamp, _ person: Person) throws -> [UInt8] {
        let effects = try person.tracker.pause(until: until, at: now)
        try turn.apply(effects, to: person)
        return GroupResult.paused.bytes(of: until)
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
        return GroupResult.precision.bytes(of: (group.key, precision))
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

    /// Returns the requester's states.
    private func states(of person: Person, in groups: [Group])
        -> [(group: GroupKey, state: Session.State)]
    {
        groups.map { group in
            let state = person.tracker.session(in: group.id)?.state
            return (group.key, state ?? .inactive(lastKnown: nil))
        }
    }

    /// Returns the users who see the person in these groups, each once, as many as fit;
    /// `sharing.list` has all.
    private func watchers(of person: Person, in groups: [Group]) -> (names: [Name], isWhole: Bool) {
        var known: Set<UserID> = [person.id]
        var names: [Name] = []
        for group in groups {
            for member in group.members where known.insert(member.id).inserted {
                guard known.count <= Groups.maximumWatchers else { return (names, false) }
                names.append(member.name)
            }
        }
        return (names, true)
    }

    /// The number of names of 32 characters that fit beside the states of a hundred groups.
    private static let maximumWatchers = 1_000
}
