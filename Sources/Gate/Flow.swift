import Contract

/// How a connection stands with what it sends, and with what is sent to it.
struct Flow {
    /// The allowances of which it has used more than there was.
    var owed: Set<Meters.Kind> = []
    /// What it has sent since then.
    var overdraft = 0.0
    /// Of that, what the device does not owe, since it owes as much as it can.
    var unpaid = 0.0
    /// Nil where the broker reads from it.
    var pausedAt: Duration?
    /// The broker may have written to it since it was paused, and reads from it again then.
    var isTouched = false

    /// A guest's own of the bytes that no callback shows.
    var unseen: Allowance.Use
    /// Bytes that the gate was asked about since its socket was looked at, and what goes with
    /// them: headers, acknowledgements, TLS.
    var expected = 0

    /// Bytes that may have gone to it since its socket was looked at.
    var delivered = 0
    /// The message that went to it last: 3.1.1 gets it once for all its filters.
    var lastDelivery: Int?
    /// Whether what waited for it when it came was counted, with what is not its doing.
    var hasArrived = false
    /// What the peer's kernel had confirmed when its socket was looked at.
    var acknowledged = 0
    /// The same of what the broker had read.
    var read = 0
    var measuredAt: Duration
    /// Bytes that wait for it at the broker, at most.
    var held = 0
    /// Since when these are too many.
    var heldSince: Duration?

    init(_ limits: GateSettings.Limits, at now: Duration) {
        unseen = Allowance.Use(limits.unseenBytesOfGuest, at: now)
        measuredAt = now
    }

    /// With each packet: its header, MQTT's properties, a frame of TLS or WebSockets, and those of
    /// its acknowledgement.
    static let overhead = 128

    /// The gate was asked about what came from it.
    mutating func note(_ bytes: Int) {
        expected += bytes + Flow.overhead
        isTouched = true
        hasArrived = true
    }
}
