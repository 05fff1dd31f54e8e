import Store
import Tracking

/// What the channels need between turns.
final class ChannelState: AreaState {
    /// When the next delivery is due; nil if none is.
    var next: Timestamp?
    var sentCodes = SentCodes()

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        next = try transaction.nextDelivery()
    }
}
