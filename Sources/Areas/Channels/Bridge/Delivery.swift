package import Contract
package import Store
package import Tracking
package import WebPush

/// A message that one turn hands over to be sent to a channel; a later turn gets the
/// ``DeliveryOutcome``.
///
/// It carries everything that sending it needs, so that whoever sends it reads no store.
package struct Delivery: Sendable {
    package let channel: UUIDv7
    /// Whom the message is for.
    package let user: Name
    package let kind: ChannelKind
    /// The endpoint, the address or the URL.
    package let address: String
    /// Of a browser's subscription.
    package let publicKey: [UInt8]?
    /// A subscription's, or a webhook's.
    package let secret: [UInt8]?
    /// Says from whom a push comes (RFC 8292).
    package let pushKey: VAPIDKey?
    package let message: ChannelMessage
    package let urgency: DeliveryRow.Urgency
    package let expiresAt: Timestamp
}

/// What became of a ``Delivery``.
package struct DeliveryOutcome: Sendable {
    package let channel: UUIDv7
    package let kind: ChannelKind
    package let user: Name
    /// The message's id.
    package let message: String
    package let result: Result

    package enum Result: Sendable, Hashable {
        /// The receiver has taken it over.
        case delivered
        /// It may be tried again, after a while if the receiver asked for that.
        case failed(DeliveryFailure, after: Duration?)
    }

    package init(of delivery: Delivery, _ result: Result) {
        (channel, kind, user) = (delivery.channel, delivery.kind, delivery.user)
        (message, self.result) = (delivery.message.id, result)
    }
}
