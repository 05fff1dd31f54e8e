import Store
import Tracking

/// What the notices need between turns.
final class NoticeState: AreaState {
    /// The number of unseen notices of those who have any.
    var unread: [UserID: Int]
    /// People whose number may have changed, to be counted in steps.
    var uncounted: Set<UserID> = []

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        unread = try transaction.unseenNotices()
    }
}
