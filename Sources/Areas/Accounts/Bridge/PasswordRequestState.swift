import Store
import Tracking

/// What the accounts need between turns.
final class PasswordRequestState: AreaState {
    /// When there is something to do for somebody who has forgotten the password.
    var next: Timestamp?

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        next = try transaction.nextPasswordRequest()
    }
}
