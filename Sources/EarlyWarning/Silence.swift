package import Tracking

/// Whether anything is measured at all.
package struct Silence: Hashable, Sendable {
    package private(set) var heardAt: Timestamp
    package private(set) var hasToldPerson: Bool
    package private(set) var hasToldGroups: Bool

    package init(heardAt: Timestamp, hasToldPerson: Bool = false, hasToldGroups: Bool = false) {
        (self.heardAt, self.hasToldPerson) = (heardAt, hasToldPerson)
        self.hasToldGroups = hasToldGroups
    }

    mutating func bound(by now: Timestamp) { heardAt = min(heardAt, now) }

    /// - Returns: whether the groups as well were told that nothing came; nil if nobody was.
    mutating func hear(at now: Timestamp) -> Bool? {
        defer { self = Silence(heardAt: now) }
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
}
