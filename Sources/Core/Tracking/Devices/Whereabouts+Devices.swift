/// Changes to a person's devices.
extension Whereabouts {
    /// Records an action on a device on which others will rely: from then on it is the carried one,
    /// unless another is named and this is not a call for help.
    ///
    /// - Parameter latest: where the person was.
    /// - Returns: the device's last position, if it was not the carried one.
    mutating func carry(
        _ device: DeviceID, isCall: Bool, from latest: Fix?, at now: Timestamp
    ) -> Fix? {
        guard carried?.device != device, isCall || named == nil || named == device else {
            return nil
        }
        let index = index(of: device) ?? add(DeviceTrack(of: device, at: now))
        guard let last = others[index].last else {
            others[index].isAwaited = true
            return nil
        }
        carry(index, from: latest)
        return last
    }

    /// Sets the device that represents the person; nil: the devices' movements decide.
    ///
    /// - Returns: as ``carry(_:isCall:from:at:)``.
    mutating func name(_ device: DeviceID?, from latest: Fix?, at now: Timestamp) -> Fix? {
        named = device
        return device.flatMap { carry($0, isCall: false, from: latest, at: now) }
    }

    /// Removes a device that is no longer used.
    mutating func forget(_ device: DeviceID) {
        others.removeAll { $0.track.device == device }
        if named == device { named = nil }
        guard carried?.device == device else { return }
        let next = others.indices.max { others[$0].isLessLikely(than: others[$1]) }
        carried = next.map { others.remove(at: $0).track }
    }

    /// Forgets all positions of the person.
    mutating func forgetPlaces() {
        carried?.forgetPlace()
        for index in others.indices {
            others[index].track.forgetPlace()
            others[index].last = nil
        }
    }

    /// Moves later times in the devices' records back to this time.
    ///
    /// - Returns: whether there were any.
    mutating func bound(by now: Timestamp) -> Bool {
        var isChanged = carried?.bound(by: now) ?? false
        for index in others.indices {
            if others[index].track.bound(by: now) { isChanged = true }
            if others[index].cededAt.bound(by: now) { isChanged = true }
        }
        return isChanged
    }
}

extension Whereabouts.Other {
    /// Whether the other one is more likely to be carried: it moved last, or sent the last
    /// position.
    func isLessLikely(than other: Self) -> Bool {
        let never = Timestamp(milliseconds: .min)
        let moved = (track.movedAt ?? never, other.track.movedAt ?? never)
        if moved.0 != moved.1 { return moved.0 < moved.1 }
        return last?.takenAt ?? never < other.last?.takenAt ?? never
    }
}
