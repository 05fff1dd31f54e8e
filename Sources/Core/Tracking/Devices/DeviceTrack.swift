/// The place or movement of one of a person's devices, as far as its fixes show it clearly.
package struct DeviceTrack: Hashable, Sendable {
    /// A position that counts only if the next one agrees with it.
    package struct Stray: Hashable, Sendable {
        package let coordinate: Coordinate
        package let takenAt: Timestamp

        package init(coordinate: Coordinate, takenAt: Timestamp) {
            (self.coordinate, self.takenAt) = (coordinate, takenAt)
        }

        init(_ fix: Fix) { self.init(coordinate: fix.coordinate, takenAt: fix.takenAt) }

        /// Whether a fix agrees. Two that are exactly 0 do not: a value for "unknown" is the same
        /// every time.
        func agrees(with fix: Fix, _ rules: Rules) -> Bool {
            !(coordinate.isOnZero && fix.coordinate.isOnZero)
                && !fix.isDoubtful(after: Place(self), rules)
        }
    }

    package let device: DeviceID
    /// The place around which it has been since then; nil until known.
    package private(set) var place: Coordinate?
    /// When the first fix there was taken.
    package private(set) var since: Timestamp
    /// Whether it was observed moving there.
    package private(set) var hasMoved: Bool
    package private(set) var stray: Stray?
    /// The time of the newest fix that was followed.
    package private(set) var lastAt: Timestamp

    init(of device: DeviceID, at time: Timestamp) {
        self.init(
            device: device, place: nil, since: time, hasMoved: false, stray: nil, lastAt: time)
    }

    /// Restores a stored value.
    package init(
        device: DeviceID, place: Coordinate?, since: Timestamp, hasMoved: Bool, stray: Stray?,
        lastAt: Timestamp
    ) {
        self.device = device
        self.place = place
        self.since = since
        self.hasMoved = hasMoved
        self.stray = stray
        self.lastAt = lastAt
    }

    /// When it was observed moving; nil: never.
    var movedAt: Timestamp? { hasMoved ? since : nil }

    /// Forgets its positions.
    mutating func forgetPlace() { (place, stray) = (nil, nil) }

    mutating func bound(by now: Timestamp) -> Bool {
        let isBound = since.bound(by: now)
        return lastAt.bound(by: now) || isBound
    }

    /// Makes the next fix believable if it agrees with this one.
    mutating func expect(after fix: Fix) { stray = Stray(fix) }

    /// Whether a fix can be believed, on its own or because the previous one agrees.
    ///
    /// - Parameter known: where the device, or the person with it, was.
    mutating func believes(_ fix: Fix, after known: Place?, _ rules: Rules) -> Bool {
        guard fix.isDoubtful(after: known, rules) else {
            stray = nil
            return true
        }
        if let stray, stray.agrees(with: fix, rules) {
            self.stray = nil
            return true
        }
        stray = Stray(fix)
        return false
    }

    /// Follows the device that the person carries: one fix elsewhere is a move.
    mutating func follow(_ fix: Fix, _ rules: Rules) {
        lastAt = fix.takenAt
        guard fix.isUsable(rules) else { return }
        if let place, place.isNear(fix, rules.carriedRadius, rules) { return }
        hasMoved = place != nil
        (place, since) = (fix.coordinate, fix.takenAt)
    }

    /// Follows a device that is at rest, or moves separately. A position that jumps and stays is
    /// often an error; a carried device is seen in more than one place on its way, or is still at
    /// its new place after a while.
    ///
    /// - Parameter fix: a fix that is accurate enough.
    /// - Returns: the place that the device has left with this fix.
    mutating func watch(_ fix: Fix, _ rules: Rules) -> Coordinate? {
        lastAt = fix.takenAt
        guard let place else {
            guard believes(fix, after: nil, rules) else { return nil }
            (self.place, since) = (fix.coordinate, fix.takenAt)
            return nil
        }
        guard !place.isNear(fix, rules.separationRadius, rules) else {
            stray = nil
            return nil
        }
        guard let first = stray, first.agrees(with: fix, rules) else {
            stray = Stray(fix)
            return nil
        }
        guard
            first.coordinate.distance(to: fix.coordinate) > rules.separationRadius / 2
                || fix.takenAt >= first.takenAt + rules.displacedAfter
        else { return nil }
        stray = nil
        hasMoved = true
        (self.place, since) = (fix.coordinate, fix.takenAt)
        return place
    }
}

extension Coordinate {
    /// Whether a fix's device is, or may be, within a radius.
    func isNear(_ fix: Fix, _ radius: Double, _ rules: Rules) -> Bool {
        distance(to: fix.coordinate) <= max(radius, (fix.accuracy ?? 0) * rules.accuracyFactor)
    }
}
