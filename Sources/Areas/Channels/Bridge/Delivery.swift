package import Contract
package import Store
package import Tracking
package import WebPush

/// A message that one turn submits to be sent to a channel; a later turn receives the
/// ``DeliveryOutcome``.
///
/// It carries everything that sending needs, so that the sender never reads the store.
package struct Delivery: Work {
    package let channel: UUIDv7
    /// The receiver's user name.
    package let user: Name
    package let kind: ChannelKind
    /// The endpoint, the address or the URL.
    package let address: String
    /// A subscription's key.
    package let publicKey: [UInt8]?
    /// A subscription's or a webhook's secret.
    package let secret: [UInt8]?
    /// Identifies the sender of a push (RFC 8292).
    package let pushKey: VAPIDKey?
    package let message: ChannelMessage
    package let urgency: DeliveryRow.Urgency
    package let expiresAt: Timestamp
}

/// The result of a ``Delivery``.
package struct DeliveryOutcome: WorkOutcome {
    package static let kind: WorkKind? = .deliveries

    package let channel: UUIDv7
    package let kind: ChannelKind
    package let user: Name
    /// The message's id.
    package let message: String
    package let result: Result

    package enum Result: Sendable, Hashable {
        /// The receiver has accepted it.
        case delivered
        /// It may be retried, after the given pause if the receiver requested one.
        case failed(DeliveryFailure, after: Duration?)
    }

    package init(of delivery: Delivery, _ result: Result) {
        (channel, kind, user) = (delivery.channel, delivery.kind, delivery.user)
        (message, self.result) = (delivery.message.id, result)
    }
}
