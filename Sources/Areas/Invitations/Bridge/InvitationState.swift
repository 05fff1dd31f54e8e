import Store
import Tracking

/// What the invitations need between turns.
final class InvitationState: AreaState {
    /// Those of which a later turn than the one that made them decides whether they reach anybody.
    var undecided: [UUIDv7]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        undecided = try transaction.undecidedInvitations()
    }
}
