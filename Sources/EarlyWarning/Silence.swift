internal import Tracking

/// Whether anything is measured at all.
struct Silence: Hashable, Sendable {
    private(set) var heardAt: Timestamp
    private var hasToldPerson = false
    private var hasToldGroups = false

    init(heardAt: Timestamp) { self.heardAt = heardAt }

    /// - Returns: whether somebody was told that nothing came.
    mutating func hear(at now: Timestamp) -> Bool {
        let wasTold = hasToldPerson
        self = Silence(heardAt: now)
        return wasTold
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
