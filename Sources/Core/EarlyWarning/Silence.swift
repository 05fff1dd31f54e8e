package import Tracking

/// Tracks whether anything is measured at all.
package struct Silence: Hashable, Sendable {
    package private(set) var heardAt: Timestamp
    package private(set) var hasToldPerson: Bool
    package private(set) var hasToldGroups: Bool
    /// The longest recent time between two readings.
    package private(set) var interval: Duration
    /// Whether the silence has been checked for being suspicious.
    package private(set) var wasAsked: Bool

    package init(
        heardAt: Timestamp, hasToldPerson: Bool = false, hasToldGroups: Bool = false,
        interval: Duration = unknown, wasAsked: Bool = false
    ) {
        (self.heardAt, self.hasToldPerson) = (heardAt, hasToldPerson)
        self.hasToldGroups = hasToldGroups
        (self.interval, self.wasAsked) = (interval, wasAsked)
    }

    /// The interval of a device about which too little is known: no silence is suspicious.
    package static let unknown = Duration.seconds(300)

    mutating func bound(by now: Timestamp) { heardAt = min(heardAt, now) }

    /// - Returns: whether the groups were also notified of the silence; nil if no one was.
    mutating func hear(at now: Timestamp) -> Bool? {
        defer {
            // A device that sends in bursts is silent between them.
            let usual = (interval * 31 / 32).milliseconds
            self = Silence(
                heardAt: now, interval: .milliseconds(max((now - heardAt).milliseconds, usual)))
        }
        return hasToldPerson ? hasToldGroups : nil
    }

    /// - Returns: whether the groups are also to be notified; nil if no one is.
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

    /// - Returns: false even for a long silence: then the service may not have been listening.
    func isSuspicious(at now: Timestamp, _ limits: MonitoringLimits) -> Bool {
        guard let due = nextSuspicion(limits) else { return false }
        return now >= due && now < heardAt + limits.silentAfter
    }

    /// Marks the silence as checked, once the check is due.
    mutating func passSuspicion(at now: Timestamp, _ limits: MonitoringLimits) {
        if let due = nextSuspicion(limits), now >= due { wasAsked = true }
    }

    /// Returns when the silence exceeds the device's usual one; nil once that was checked.
    func nextSuspicion(_ limits: MonitoringLimits) -> Timestamp? {
        let wait = max(limits.silentInDangerAfter, interval * 3)
        return wasAsked || wait >= limits.silentAfter ? nil : heardAt + wait
    }
}
