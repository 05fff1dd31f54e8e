/// The choice of the device that shows where a person is.
extension Tracker {
    /// The device whose positions are the person's; nil until there is one.
    public var carriedDevice: DeviceID? { whereabouts.carried?.device }

    /// The device that the person has named as theirs to carry, if any.
    public var namedDevice: DeviceID? { whereabouts.named }

    /// Records that the person calls for help or begins a journey on a device: from then on it is
    /// the carried one, unless another moves instead or, on a journey, is named. A device without a
    /// position becomes the carried one with its first position.
    public mutating func carry(
        _ device: DeviceID, isCall: Bool = false, at now: Timestamp, _ rules: Rules
    ) -> [Effect] {
        let last = whereabouts.carry(device, isCall: isCall, from: latest, at: now)
        return moveIfFresh(last, at: now, rules)
    }

    /// Sets the device that represents the person; nil: the devices' movements decide.
    public mutating func name(carried device: DeviceID?, at now: Timestamp, _ rules: Rules)
        -> [Effect]
    {
        moveIfFresh(whereabouts.name(device, from: latest, at: now), at: now, rules)
    }

    /// Moves the person to a fresh fix: an older one says no more than the person's last position.
    private mutating func moveIfFresh(_ fix: Fix?, at now: Timestamp, _ rules: Rules) -> [Effect] {
        guard let fix, now <= fix.takenAt + rules.originAge else { return [] }
        move(to: fix)
        return settle([.deviceChanged])
    }
}
