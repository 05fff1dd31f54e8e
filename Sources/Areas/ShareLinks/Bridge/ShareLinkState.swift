import Contract
import Store
import Tracking

/// What the links need between turns; the links themselves are in ``Person/shareLinks``.
final class ShareLinkState: AreaState {
    /// Whose links work.
    var owners: [UUIDv7: UserID] = [:]
    /// Those one of whose links is about to end.
    var ends = TimerQueue()
    /// When an entry of the log was made about openings of a link.
    var loggedAt: [UUIDv7: Timestamp] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        for row in try transaction.openShareLinks() {
            owners[row.id] = row.user
            ends.schedule(row.user, by: row.until)
        }
    }
}
