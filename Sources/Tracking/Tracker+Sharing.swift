extension Tracker {
    /// The user begins to share with these groups; those who see them already stay as they are.
    ///
    /// - Throws: ``Refusal/notAMember``; nothing has changed then.
    public mutating func startSharing(with groups: [GroupID], at now: Timestamp)
        throws(Refusal) -> [Effect]
    {
        for index in try indices(of: groups) {
            switch sessions[index].state.transition(on: .startSharing) {
            case .stays: break
            case .becomes: enter(.active, index, at: now)
            case .refused(let refusal): throw refusal
            }
        }
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
        for index in indices {
            if case .refused(let refusal) = sessions[index].state.transition(on: .stopSharing) {
                throw refusal
            }
        }
        var effects: [Effect] = []
        for index in indices where sessions[index].state.isShared {
            let wasRouting = sessions[index].state == .routing
            let group = sessions[index].group
            enter(.inactive(lastKnown: latest), index, at: now)
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

    /// The group no longer follows. Where it was the last one, the journey or the emergency
    /// has nobody left to be told of it.
    mutating func withdrawPath(from group: GroupID, _ effects: inout [Effect]) {
        guard var path else { return }
        path.groups.removeAll { $0 == group }
        if path.groups.isEmpty {
            effects.append(.pathEnded(number: path.number, withdrawn: path.mode == .journey))
            self.path = nil
            journey = nil
            emergency = nil
            watch = nil
        } else {
            effects.append(.pathWithdrawn(number: path.number, from: group))
            self.path = path
        }
    }
}
