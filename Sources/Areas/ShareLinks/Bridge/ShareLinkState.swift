import Contract
import Store
import Tracking

/// The links' state between turns.
final class ShareLinkState: AreaState {
    /// The valid links of the people who have any, the oldest first.
    private(set) var links: [UserID: [ShareLinkRow]] = [:]
    /// The owners of active links.
    private(set) var owners: [UUIDv7: UserID] = [:]
    /// The people with a link that is about to end.
    var ends = TimerQueue()
    /// The last logged opening of each link.
    var loggedAt: [UUIDv7: Timestamp] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        for row in try transaction.openShareLinks() {
            set(row)
            ends.schedule(row.user, by: row.until)
        }
    }

    /// Adds or changes a link.
    func set(_ link: ShareLinkRow) {
        owners[link.id] = link.user
        if let index = links[link.user]?.firstIndex(where: { $0.id == link.id }) {
            links[link.user]?[index] = link
        } else {
            links[link.user, default: []].append(link)
        }
    }

    func remove(_ link: ShareLinkRow) {
        (owners[link.id], loggedAt[link.id]) = (nil, nil)
        links[link.user]?.removeAll { $0.id == link.id }
        if links[link.user]?.isEmpty == true { links[link.user] = nil }
    }
}
