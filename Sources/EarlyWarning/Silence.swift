package import Tracking

/// Whether anything is measured at all.
package struct Silence: Hashable, Sendable {
    package private(set) var heardAt: Timestamp
    package private(set) var hasToldPerson: Bool
    package private(set) var hasToldGroups: Bool
    /// The longest time between two readings lately.
    package private(set) var interval: Duration
    /// Whether it was looked at whether the silence is suspicious.
    package private(set) var wasAsked: Bool

    package init(
        heardAt: Timestamp, hasToldPerson: Bool = false, hasToldGroups: Bool = false,
        interval: Duration = unknown, wasAsked: Bool = false
    ) {
        (self.heardAt, self.hasToldPerson) = (heardAt, hasToldPerson)
        self.hasToldGroups = hasToldGroups
        (self.interval, self.wasAsked) = (interval, wasAsked)
    }

    /// The interval of a device of which not enough is known: nothing is suspicious.
    package static let unknown = Duration.seconds(300)

    mutating func bound(by now: Timestamp) { heardAt = min(heardAt, now) }

    /// - Returns: whether the groups as well were told that nothing came; nil if nobody was.
    mutating func hear(at now: Timestamp) -> Bool? {
        defer {
            // A device that sends in bursts is silent between them.
            let usual = (interval * 31 / 32).milliseconds
            self = Silence(
                heardAt: now, interval: .milliseconds(max((now - heardAt).milliseconds, usual)))
        }
        return hasToldPerson ? hasToldGroups : nil
    }

    /// - Returns: whether the groups are to be told as well; nil if nobody is.
    mutating func isDue(at now: Timestamp, _ limits: MonitoringLimits) -> Bool? {
        guard let due = nextDue(limits), now >= due else { return nil }
        hasToldGroups = now >= heardAt + limits.silentForGroupsAfter
        hasToldPerson = true
        return hasToldGroups
    }

    func nextDue(_ limits: MonitoringLimits) -> Timestamp? {
        if hasToldGroups { return nil }
        return heardAt + (hasToldPerson ? limits.silentForGroupsAfter : limits.silentAfter)
    }

    // MARK: After dangerous readings

    /// - Returns: false also where it went on for long: then nobody may have listened.
    func isSuspicious(at now: Timestamp, _ limits: MonitoringLimits) -> Bool {
        guard let due = nextSuspicion(limits) else { return false }
        return now >= due && now < heardAt + limits.silentAfter
    }

    /// Notes that it was looked at, once it is due.
    mutating func passSuspicion(at now: Timestamp, _ limits: MonitoringLimits) {
        if let due = nextSuspicion(limits), now >= due { wasAsked = true }
    }

    /// When the silence is longer than is usual for the device; nil once that was looked at.
    func nextSuspicion(_ limits: MonitoringLimits) -> Timestamp? {
        let wait = max(limits.silentInDangerAfter, interval * 3)
        return wasAsked || wait >= limits.silentAfter ? nil : heardAt + wait
    }
}
