import Contract
import Limits
import Store
import Tracking

/// The state of vital signs between turns.
final class VitalsState: AreaState {
    /// The consents of users who agree.
    var consents: [UserID: VitalsConsent]
    /// The ranges of users who deleted some of their data.
    var deleted: [UserID: DeletedStretches]
    /// The number of the newest row.
    var last: Int64
    /// Whether deleted rows remain.
    var isDeleting: Bool
    /// The time of the next deletion of them.
    var nextDeletion = Timestamp(milliseconds: 0)
    /// The last row encrypted again in this round.
    var sealedThrough: Int64 = 0
    /// The last health profile encrypted again in this round.
    var profilesSealedThrough = UserID(rawValue: 0)
    /// Limits the numbers that people enter as theirs.
    var numbers = TokenBuckets<UserID>(
        Allowance(
            burst: Double(BridgeSettings.maximumNumbers),
            perSecond: Double(BridgeSettings.maximumNumbers) / 86_400))

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
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

    /// Forgets ranges from which nothing is accepted any more.
    func forgetDeleted(before time: Timestamp) {
        for user in Array(deleted.keys) {
            deleted[user]?.forget(before: time)
            if deleted[user]?.stretches.isEmpty == true { deleted[user] = nil }
        }
    }
}
