import Contract
import Store
import Tracking

/// What the channels need between turns.
final class ChannelState: AreaState {
    /// When the next delivery is due; nil if none is.
    var next: Timestamp?
    var sentCodes = SentCodes()
    /// Deliveries in succession that failed for a reason of the operator's, by kind.
    private(set) var failures: [ChannelKind: Int] = [:]

    /// From so many failures in succession on nothing gets through.
    private static let enough = 3

    /// Kinds of channels that the operator has to look into.
    var failing: Set<ChannelKind> {
        Set(failures.filter { $0.value >= ChannelState.enough }.keys)
    }

    func note(_ outcome: DeliveryOutcome) {
        guard case .failed(let reason, _) = outcome.result, reason.isOperators(outcome.kind) else {
            failures[outcome.kind] = nil
            return
        }
        // A refusal says enough.
        let weight = reason == .mailServer ? ChannelState.enough : 1
        failures[outcome.kind] = min(
            failures[outcome.kind, default: 0] + weight, ChannelState.enough)
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        next = try transaction.nextDelivery()
    }
}
