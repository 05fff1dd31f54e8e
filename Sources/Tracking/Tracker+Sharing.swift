extension Tracker {
    /// The user begins to share with these groups. For those that it is shared with already, nothing
    /// changes but the end. A pause is over.
    ///
    /// - Parameter until: when it ends by itself, in the future; nil: when the user ends it.
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

    /// The user stops sharing with these groups. They keep the last position; a journey ends for
    /// them.
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

    /// The group no longer follows. If it was the last one, nobody is left to be told of the
    /// journey or the emergency.
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

    /// The group no longer sees the path, or has never seen it.
    mutating func hidePath(from group: GroupID, _ effects: inout [Effect]) {
        guard let path, path.groups.contains(group) else { return }
        undertaking.follow { $0.path.groups.removeAll { $0 == group } }
        effects.append(.pathWithdrawn(number: path.number, from: group))
    }
}
