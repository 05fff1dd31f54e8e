/// A person's location, determined from their devices.
///
/// One device counts as carried, and its fixes move the person. The others are watched: one that
/// moves along also shows where the person is, one that moves while the carried one is at rest
/// takes over, and one at rest shows nothing, even if no other sends positions: a tablet at home
/// does not mean that the person is at home.
package struct Whereabouts: Hashable, Sendable {
    /// A device that is not the carried one.
    package struct Other: Hashable, Sendable {
        package var track: DeviceTrack
        /// Its last position that could be believed.
        package var last: Fix?
        /// Whether the person began an action on it before its first position.
        package var isAwaited: Bool
        /// When another device took over, as this one seemed to have been left behind.
        package var cededAt: Timestamp?

        package init(
            track: DeviceTrack, last: Fix? = nil, isAwaited: Bool = false,
            cededAt: Timestamp? = nil
        ) {
            (self.track, self.last) = (track, last)
            (self.isAwaited, self.cededAt) = (isAwaited, cededAt)
        }
    }

    /// A fix's meaning for the person.
    enum Meaning {
        /// Their position, or, for a late fix, a former position.
        case position
        /// Nothing beyond what is already known.
        case lifeSign
        /// Nothing, unless the next one agrees.
        case waits
        /// Nothing: the device is not carried.
        case elsewhere
    }

    /// The context for judging a fix.
    struct Scene {
        /// The person's newest position.
        let latest: Fix?
        /// Whether the fix is newer than the device's previous ones.
        let isNewest: Bool
        let isPunctual: Bool
        /// Whether the device has never reported a position before.
        let isNewcomer: Bool
        /// Whether the person is on a journey or in an SOS.
        let isFollowed: Bool
    }

    /// The maximum number of devices remembered besides the carried one.
    private static let maximumOthers = 7

    package internal(set) var carried: DeviceTrack?
    package internal(set) var others: [Other]
    /// The device that the person has named as theirs to carry.
    package internal(set) var named: DeviceID?

    package init(carried: DeviceTrack? = nil, others: [Other] = [], named: DeviceID? = nil) {
        (self.carried, self.others, self.named) = (carried, others, named)
    }

    func isCarried(_ device: DeviceID) -> Bool { carried.map { $0.device == device } ?? true }

    /// The last position of a device that is not the carried one.
    func last(of device: DeviceID) -> Fix? { index(of: device).flatMap { others[$0].last } }

    mutating func take(_ fix: Fix, from device: DeviceID, _ scene: Scene, _ rules: Rules) -> Meaning
    {
        guard isCarried(device) else { return watch(fix, from: device, scene, rules) }
        let known = scene.latest.map { Place($0) }
        guard scene.isNewest else {
            guard !fix.isDoubtful(after: known, rules) else { return .waits }
            // A device that moves along may be ahead, by its clock or its network.
            if let lastAt = carried?.lastAt, lastAt < fix.takenAt { carried?.follow(fix, rules) }
            return .position
        }
        if carried == nil { others.removeAll { $0.track.device == device } }
        var track = carried ?? DeviceTrack(of: device, at: fix.takenAt)
        defer { carried = track }
        guard track.believes(fix, after: known, rules) else { return .waits }
        if let latest = scene.latest, fix.saysLess(than: latest, of: track, rules) {
            return .lifeSign
        }
        track.follow(fix, rules)
        return .position
    }

    private mutating func watch(
        _ fix: Fix, from device: DeviceID, _ scene: Scene, _ rules: Rules
    ) -> Meaning {
        guard scene.isNewest else { return .elsewhere }
        if let index = index(of: device), scene.isPunctual,
            others[index].isAwaited || device == named && !scene.isFollowed,
            !fix.isDoubtful(after: others[index].last.map { Place($0) }, rules)
        {
            carry(index, from: scene.latest)
            carried?.follow(fix, rules)
            return .position
        }
        guard fix.isUsable(rules) else { return .elsewhere }
        let index = index(of: device) ?? add(DeviceTrack(of: device, at: fix.takenAt))
        let left = others[index].track.watch(fix, rules)
        let known = others[index].last.map { Place($0) }
        if !fix.isDoubtful(after: known, rules) { others[index].last = fix }
        guard others[index].track.stray == nil else { return .elsewhere }
        others[index].last = fix
        guard scene.isPunctual else { return .elsewhere }
        if left != nil, let cededAt = others[index].cededAt {
            // It was not left behind, only slow to report its movement.
            others[index].cededAt = nil
            if fix.takenAt <= cededAt + rules.overruledAfter, carried?.device != named {
                carry(index, from: scene.latest)
                return .position
            }
        }
        if takesOver(others[index], by: fix, leaving: left, scene, rules) {
            carry(index, from: scene.latest, at: left.map { _ in fix.takenAt })
            return .position
        }
        guard let latest = scene.latest, fix.takenAt > latest.takenAt,
            goesAlong(others[index].track, rules),
            latest.coordinate.isNear(fix, rules.separationRadius / 2, rules)
        else { return .elsewhere }
        return .position
    }

    /// Whether the person is now with this device, and no longer with the carried one.
    ///
    /// - Parameter left: the place that it left with this fix.
    private func takesOver(
        _ other: Other, by fix: Fix, leaving left: Coordinate?, _ scene: Scene, _ rules: Rules
    ) -> Bool {
        guard let carried, carried.device != named else { return false }
        // They were together, and the carried one was left behind.
        if let left, let latest = scene.latest, left.isNear(latest, rules.separationRadius, rules) {
            return true
        }
        // Followers of a journey or an SOS rely on the device that it began with.
        guard !scene.isFollowed else { return false }
        if let movedAt = other.track.movedAt {
            return carried.movedAt.map { $0 + rules.overruledAfter <= movedAt } ?? true
        }
        guard let latest = scene.latest else { return true }
        guard fix.takenAt > latest.takenAt else { return false }
        let isSilent = fix.takenAt > latest.takenAt + rules.originAge
        return scene.isNewcomer ? isSilent || !carried.hasMoved : isSilent && !carried.hasMoved
    }

    /// Whether a device has not been at rest much longer than the carried one.
    private func goesAlong(_ track: DeviceTrack, _ rules: Rules) -> Bool {
        guard let carriedAt = carried?.movedAt else { return true }
        return track.movedAt.map { $0 + rules.alongWithin >= carriedAt } ?? false
    }

    /// - Parameters:
    ///   - latest: where the person was.
    ///   - time: when the device took over by moving.
    mutating func carry(_ index: Int, from latest: Fix?, at time: Timestamp? = nil) {
        var next = others.remove(at: index)
        // The person's former position does not contradict this device's next fix.
        if let last = next.last { next.track.expect(after: last) }
        if let carried { others.append(Other(track: carried, last: latest, cededAt: time)) }
        carried = next.track
    }

    mutating func add(_ track: DeviceTrack) -> Int {
        if others.count == Whereabouts.maximumOthers,
            let least = others.indices.min(by: { others[$0].isLessLikely(than: others[$1]) })
        {
            others.remove(at: least)
        }
        others.append(Other(track: track))
        return others.count - 1
    }

    func index(of device: DeviceID) -> Int? {
        others.firstIndex { $0.track.device == device }
    }
}
