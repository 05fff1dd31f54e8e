import Contract
import Sealing
import Store
import Tracking

/// What vital signs need between turns.
final class VitalsState: AreaState {
    /// Of those who agree.
    var consents: [UserID: VitalsConsent]
    /// The number of the newest row.
    var last: Int64
    /// Opens what the broker's plugin has sealed; nil until something has come.
    var opener: EnvelopeOpener?
    /// Whether there is something that a user had deleted.
    var isDeleting: Bool
    /// When more of it is deleted.
    var nextDeletion = Timestamp(milliseconds: 0)
    /// How far what older keys open has been encrypted anew in this round.
    var sealedThrough: Int64 = 0

    init(_ transaction: Transaction) throws(StoreError) {
        consents = Dictionary(
            try transaction.vitalsConsents().map { ($0.user, $0.consent) },
            uniquingKeysWith: { $1 })
        last = try transaction.lastVitals()
        isDeleting = try transaction.isDeletingVitals()
    }
}
