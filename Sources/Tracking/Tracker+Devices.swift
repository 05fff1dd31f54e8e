/// Which of a person's devices says where they are.
extension Tracker {
    /// The device whose positions are the person's; nil until there is one.
    public var carriedDevice: DeviceID? { whereabouts.carried?.device }

    /// The device that the person has said to be them, if they have.
    public var namedDevice: DeviceID? { whereabouts.named }

    /// The person calls for help or begins a journey on a device: from then on it is the carried
    /// one, unless another moves instead or, on a journey, is named. A device that has told no
    /// position becomes it with the first one.
    public mutating func carry(
        _ device: DeviceID, isCall: Bool = false, at now: Timestamp, _ rules: Rules
    ) -> [Effect] {
        let last = whereabouts.carry(device, isCall: isCall, from: latest, at: now)
        return moveIfFresh(last, at: now, rules)
    }

    /// The person says which device is them; nil: what their devices do says it.
    public mutating func name(carried device: DeviceID?, at now: Timestamp, _ rules: Rules)
        -> [Effect]
    {
        moveIfFresh(whereabouts.name(device, from: latest, at: now), at: now, rules)
    }

    /// Where the device was some time ago says no more than where the person was.
    private mutating func moveIfFresh(_ fix: Fix?, at now: Timestamp, _ rules: Rules) -> [Effect] {
        guard let fix, now <= fix.takenAt + rules.originAge else { return [] }
        move(to: fix)
        return settle([.deviceChanged])
    }
}
