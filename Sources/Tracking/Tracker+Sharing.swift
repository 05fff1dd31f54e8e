extension Tracker {
    /// The user begins to share with these groups; nothing changes for those that it is shared with
    /// already.
    ///
    /// - Throws: ``Refusal/notAMember``; nothing has changed then.
    public mutating func startSharing(with groups: [GroupID], at now: Timestamp)
        throws(Refusal) -> [Effect]
    {
        let indices = try indices(of: groups)
        try check(.startSharing, on: indices)
        perform(.startSharing, on: indices, at: now)
        return settle([])
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
            let wasRouting = sessions[index].state == .routing
            let group = sessions[index].group
            perform(.stopSharing, on: CollectionOfOne(index), at: now)
            guard wasRouting else { continue }
            effects.append(.alert(alert(.journeyStopped, to: group, at: now), repetition: 0))
            withdrawPath(from: group, &effects)
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
    mutating func withdrawPath(from group: GroupID, _ effects: inout [Effect]) {
        undertaking.follow { $0.path.groups.removeAll { $0 == group } }
        guard let path else { return }
        if path.groups.isEmpty {
            effects.append(.pathEnded(number: path.number, withdrawn: path.mode == .journey))
            undertaking = .nothing
        } else {
            effects.append(.pathWithdrawn(number: path.number, from: group))
        }
    }
}
