extension Tracker {
    /// Starts sharing with these groups. For groups that already see it, only the end changes. A
    /// pause is over.
    ///
    /// - Parameter until: when it ends automatically, in the future; nil: when the user ends it.
    /// - Throws: ``Refusal/notAMember``; nothing has changed then.
    public mutating func startSharing(
        with groups: [GroupID], until: Timestamp? = nil, at now: Timestamp
    ) throws(Refusal) -> [Effect] {
        let indices = try indices(of: groups)
        try check(.startSharing, on: indices)
        var effects: [Effect] = []
        resume(at: now, &effects)
        perform(.startSharing, on: indices, at: now)
        for index in indices where sessions[index].until != until {
            sessions[index].until = until
            sessions[index].note(.state)
        }
        return settle(effects)
    }

    /// Stops sharing with these groups. They keep the last position; a journey ends for them.
    ///
    /// - Throws: ``Refusal/notAMember``, ``Refusal/alreadyInSOS``; nothing has changed then.
    public mutating func stopSharing(with groups: [GroupID], at now: Timestamp)
        throws(Refusal) -> [Effect]
    {
        let indices = try indices(of: groups)
        try check(.stopSharing, on: indices)
        var effects: [Effect] = []
        for index in indices {
            let (group, wasRouting) = (sessions[index].group, sessions[index].state == .routing)
            if wasRouting {
                effects.append(.alert(alert(.journeyStopped, to: group, at: now), repetition: 0))
            }
            perform(.stopSharing, on: CollectionOfOne(index), at: now)
            (sessions[index].isPaused, sessions[index].until) = (false, nil)
            if wasRouting { withdrawPath(from: group, at: now, &effects) }
        }
        return settle(effects)
    }

    func indices(of groups: [GroupID]) throws(Refusal) -> [Int] {
        var indices: [Int] = []
        for group in groups {
            guard let index = index(of: group) else { throw .notAMember }
            indices.append(index)
        }
        return indices
    }

    /// Ends a group's following. If it was the last one, the journey or the emergency has no
    /// followers left.
    mutating func withdrawPath(
        from group: GroupID, at now: Timestamp, _ effects: inout [Effect]
    ) {
        guard let path else { return }
        hidePath(from: group, &effects)
        withdrawWaitingJourney(from: group)
        guard emergency == nil ? !isFollowed : groupsInSOS.isEmpty else { return }
        effects.removeAll { $0 == .pathWithdrawn(number: path.number, from: group) }
        guard emergency == nil else { return endEmergency(at: now, &effects) }
        effects.append(.pathEnded(number: path.number, withdrawn: true))
        undertaking = .nothing
    }

    /// Hides the path from a group, which may never have seen it.
    mutating func hidePath(from group: GroupID, _ effects: inout [Effect]) {
        guard let path, path.groups.contains(group) else { return }
        undertaking.follow { $0.path.groups.removeAll { $0 == group } }
        effects.append(.pathWithdrawn(number: path.number, from: group))
    }
}
