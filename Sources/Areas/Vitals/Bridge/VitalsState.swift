import Contract
import Limits
import Store
import Tracking

/// What vital signs need between turns.
final class VitalsState: AreaState {
    /// Of those who agree.
    var consents: [UserID: VitalsConsent]
    /// Of those who had some of theirs deleted.
    var deleted: [UserID: DeletedStretches]
    /// The number of the newest row.
    var last: Int64
    /// Whether there is something that a user had deleted.
    var isDeleting: Bool
    /// When more of it is deleted.
    var nextDeletion = Timestamp(milliseconds: 0)
    /// How far what older keys open has been encrypted anew in this round.
    var sealedThrough: Int64 = 0
    /// The same of health profiles.
    var profilesSealedThrough = UserID(rawValue: 0)
    /// How many numbers people have said to be theirs.
    var numbers = TokenBuckets<UserID>(
        Allowance(
            burst: Double(BridgeSettings.maximumNumbers),
            perSecond: Double(BridgeSettings.maximumNumbers) / 86_400))

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        consents = Dictionary(
            try transaction.vitalsConsents().map { ($0.user, $0.consent) },
            uniquingKeysWith: { $1 })
        deleted = [:]
        for (user, stretch) in try transaction.deletedVitals() {
            deleted[user, default: DeletedStretches()].insert(stretch)
        }
        last = try transaction.lastVitals()
        isDeleting = try transaction.isDeletingVitals()
    }

    /// Forgets stretches of which nothing is accepted any more.
    func forgetDeleted(before time: Timestamp) {
        for user in Array(deleted.keys) {
            deleted[user]?.forget(before: time)
            if deleted[user]?.stretches.isEmpty == true { deleted[user] = nil }
        }
    }
}
