import Contract
import Limits

/// A connection's traffic state, in both directions.
struct Flow {
    /// The allowances that it has overdrawn.
    var owed: Set<Meters.Kind> = []
    /// The amount sent since then.
    var overdraft = 0.0
    /// The part not charged to the device, whose debt has reached its limit.
    var unpaid = 0.0
    /// When it was paused; nil while the broker reads from it.
    var pausedAt: Duration?
    /// Whether the broker may have written to it since it was paused, which makes the broker read
    /// from it again.
    var isTouched = false

    /// A guest's use of the allowance for bytes not shown by callbacks.
    var unseen: TokenBucket
    /// Bytes reported to the gate since the socket was last measured, and their overhead: headers,
    /// acknowledgements, TLS.
    var expected = 0

    /// Bytes that may have been sent to it since the socket was last measured.
    var delivered = 0
    /// The last message sent to it: MQTT 3.1.1 delivers it once for all matching filters.
    var lastDelivery: Int?
    /// Whether the messages queued before its connection have been counted, together with traffic
    /// that it did not cause.
    var hasArrived = false
    /// Bytes that the peer's kernel had acknowledged when the socket was last measured.
    var acknowledged = 0
    /// Bytes that the broker had read at that time.
    var read = 0
    var measuredAt: Duration
    /// The maximum of the bytes queued for it at the broker.
    var held = 0
    /// The time since which these have been too many.
    var heldSince: Duration?

    init(_ limits: GateSettings.Limits, at now: Duration) {
        unseen = TokenBucket(limits.unseenBytesOfGuest, at: now)
        measuredAt = now
    }

    /// The overhead per packet: its header, MQTT properties, TLS or WebSocket framing, and the same
    /// for its acknowledgement.
    static let overhead = 128

    /// Records data from the client that a callback reported.
    mutating func note(_ bytes: Int) {
        expected += bytes + Flow.overhead
        isTouched = true
        hasArrived = true
    }
}
