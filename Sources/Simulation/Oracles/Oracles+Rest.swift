import Contract
import Store
import Tracking

extension Oracles {
    /// Checks that every alert was published and reached everybody who was there to receive it.
    func checkAlerts() throws {
        for (alert, at) in raised {
            guard let group = groupKeys[alert.group], isStillThere(alert) else { continue }
            let times = publishedAlerts[alert.id] ?? []
            if times.isEmpty {
                fail("alerts", "\(alert.kind) \(alert.id) never reached the broker for good")
            }
            for phone in world.phones where phone.isLoggedIn && phone.isPersistent {
                guard !phone.alerts.contains(alert.id),
                    let member = memberSince[phone.user]?[group], member < at,
                    let since = phone.subscribedSince[group],
                    times.contains(where: { $0 > since })
                else { continue }
                fail("alerts", "\(alert.kind) \(alert.id) has not reached \(phone.id)")
            }
        }
        try checkDestinations()
    }

    /// Whether neither the person nor the group has been deleted, along with their alerts.
    private func isStillThere(_ alert: Row.Raised) -> Bool {
        do {
            return try reader.transaction { transaction throws(StoreError) in
                guard let id = UUIDv7(alert.id) else { return false }
                return try transaction.alert(id) != nil
            }
        } catch {
            return false
        }
    }

    /// Checks that each journey began only once in each group; each has a unique destination name.
    private func checkDestinations() throws {
        var begun: Set<String> = []
        for (alert, _) in raised where alert.kind == "journey-started" {
            guard let name = alert.destination, world.namesAsked.contains(name) else { continue }
            if !begun.insert("\(name) \(alert.group)").inserted {
                fail("once", "the journey to \(name) began twice")
            }
        }
    }

    func checkStore() throws {
        try reader.transaction { transaction throws(StoreError) in
            var names: Set<String> = []
            for group in try transaction.groups()
            where !names.insert(group.name).inserted && world.namesAsked.contains(group.name) {
                fail("once", "the group \(group.name) was made twice")
            }
            var fixes: Set<StoredFix> = []
            var owners: Set<Int64> = []
            for device in try transaction.devices() { owners.insert(device.id.rawValue) }
            try transaction.fixes(after: FixID(rawValue: 0)) { row throws(StoreError) in
                let fix = StoredFix(
                    device: row.device.rawValue, takenAt: row.fix.takenAt.milliseconds)
                if !fixes.insert(fix).inserted, owners.contains(fix.device) {
                    fail("stored once", "device \(fix.device) has a fix twice")
                }
            }
            for fix in storedFixes where owners.contains(fix.device) && !fixes.contains(fix) {
                fail("never lost", "a fix of device \(fix.device) is gone")
            }
        }
        for phone in world.phones where access[phone.user] != nil {
            for (_, takenAt) in phone.taken where !isStored(takenAt, phone.user, phone.device) {
                guard takenAt.milliseconds < world.wall.milliseconds - 86_400_000 * 2 else {
                    continue
                }
                fail("never lost", "a fix of \(phone.id) was taken by the broker and is gone")
            }
        }
    }
}
