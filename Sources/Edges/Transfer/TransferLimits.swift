/// The time limits of a transfer, and the amount of an answer that is read.
public struct TransferLimits: Hashable, Sendable {
    /// Until name, connection and encryption are established.
    public var connecting: Duration
    /// For the whole transfer, once it has begun.
    public var total: Duration
    /// The number of bytes read of the answer's head, and of its body.
    public var answer: Int
    /// The number of bytes returned of the answer's body.
    public var kept: Int

    public init(connecting: Duration, total: Duration, answer: Int = 65_536, kept: Int = 4096) {
        self.connecting = connecting
        self.total = total
        self.answer = answer
        self.kept = kept
    }

    public static let http = TransferLimits(connecting: .seconds(5), total: .seconds(10))
    /// Some servers delay every client before they greet.
    public static let mail = TransferLimits(connecting: .seconds(30), total: .seconds(60))
}

/// The number of transfers at a time. Hanging transfers take up only their own room.
public struct TransferBounds: Hashable, Sendable {
    /// In each lane.
    public var atOnce: Int
    /// In each lane, to one host and port.
    public var perHost: Int
    /// In each lane, the number waiting for their turn.
    public var waiting: Int

    public init(atOnce: Int = 128, perHost: Int = 32, waiting: Int = 10_000) {
        self.atOnce = atOnce
        self.perHost = perHost
        self.waiting = waiting
    }
}

/// The lanes of transfers, each with its own room: ordinary ones never delay urgent ones.
public enum TransferLane: Hashable, Sendable, CaseIterable { case urgent, ordinary }
