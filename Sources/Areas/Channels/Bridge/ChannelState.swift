import Contract
import Store
import Tracking

/// What the channels need between turns.
final class ChannelState: AreaState {
    /// When the next delivery is due; nil if none is.
    var next: Timestamp?
    var sentCodes = SentCodes()
    private var failures: [ChannelKind: Failures] = [:]

    /// Deliveries of a kind that failed in succession, for a reason of the operator's.
    private struct Failures {
        var count = 0
        /// Whose; more than are enough need not be known.
        var users: Set<Name> = []
        /// Whether the mail server itself could not be used: that concerns everybody.
        var isOfServer = false

        /// From so many on nothing gets through.
        static let enough = 3
    }

    /// Kinds of channels that the operator has to look into. A few addresses of one person are not enough:
    /// what fails there may be their own receiver.
    var failing: Set<ChannelKind> {
        Set(
            failures.filter { kind, failures in
                failures.count >= Failures.enough
                    && (failures.isOfServer
                        || failures.users.count >= (kind == .push ? Failures.enough : 2))
            }.keys)
    }

    func note(_ outcome: DeliveryOutcome) {
        guard case .failed(let reason, _) = outcome.result, reason.isOperators(outcome.kind) else {
            failures[outcome.kind] = nil
            return
        }
        var known = failures[outcome.kind] ?? Failures()
        known.count = min(known.count + 1, Failures.enough)
        if known.users.count < Failures.enough { known.users.insert(outcome.user) }
        known.isOfServer = outcome.kind == .mail && reason != .mailServer
        failures[outcome.kind] = known
    }

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws(StoreError) {
        next = try transaction.nextDelivery()
    }
}
