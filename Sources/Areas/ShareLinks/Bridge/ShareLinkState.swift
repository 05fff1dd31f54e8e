import Contract
import Store
import Tracking

/// The links' state between turns; the links themselves are in ``Person/shareLinks``.
final class ShareLinkState: AreaState {
    /// The owners of active links.
    var owners: [UUIDv7: UserID] = [:]
    /// The people with a link that is about to end.
    var ends = TimerQueue()
    /// The last logged opening of each link.
    var loggedAt: [UUIDv7: Timestamp] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        for row in try transaction.openShareLinks() {
            owners[row.id] = row.user
            ends.schedule(row.user, by: row.until)
        }
    }
}
