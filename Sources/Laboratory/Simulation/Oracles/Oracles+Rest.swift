import Contract
import Store
import Tracking

extension Oracles {
    /// Checks that each fix is stored once, and none is missing.
    func checkStore() throws {
        try reader.transaction { transaction in
            var fixes: Set<StoredFix> = []
            var owners: Set<Int64> = []
            for device in try transaction.devices() { owners.insert(device.id.rawValue) }
            try transaction.fixes(after: FixID(rawValue: 0)) { row in
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
