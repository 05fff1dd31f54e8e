import Contract
import Store
import Tracking

/// The channels' state between turns.
final class ChannelState: AreaState {
    /// The time at which the next delivery is due; nil if none is.
    var next: Timestamp?
    var sentCodes = SentCodes()
    private var failures: [ChannelKind: Failures] = [:]

    /// Deliveries of a kind that failed in succession for the operator to fix.
    private struct Failures {
        var count = 0
        /// The users affected, up to ``enough``.
        var users: Set<Name> = []
        /// Whether the mail server itself was unusable, which affects everyone.
        var isOfServer = false

        /// The number of users from which a kind counts as failing.
        static let enough = 3
    }

    /// Channel kinds that the operator has to check. A few addresses of one person are not enough:
    /// the fault may be in their receiver.
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

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        next = try transaction.nextDelivery()
    }
}
