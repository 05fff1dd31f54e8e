/// How long one transfer may take, and how much of an answer is read.
public struct TransferLimits: Hashable, Sendable {
    /// Until name, connection and encryption are there.
    public var connecting: Duration
    /// For the whole of it, once it has begun.
    public var total: Duration
    /// How many bytes of the answer's head, and of its body, are read.
    public var answer: Int
    /// How many bytes of the answer's body are returned.
    public var kept: Int

    public init(connecting: Duration, total: Duration, answer: Int = 65_536, kept: Int = 4096) {
        self.connecting = connecting
        self.total = total
        self.answer = answer
        self.kept = kept
    }

    public static let http = TransferLimits(connecting: .seconds(5), total: .seconds(10))
    /// Some servers make everybody wait before they greet.
    public static let mail = TransferLimits(connecting: .seconds(30), total: .seconds(60))
}

/// How much is under way at a time. What hangs takes up its own room and nobody else's.
public struct TransferBounds: Hashable, Sendable {
    /// In each lane.
    public var atOnce: Int
    /// In each lane, to one host and port.
    public var perHost: Int
    /// In each lane, what waits for its turn.
    public var waiting: Int

    public init(atOnce: Int = 128, perHost: Int = 32, waiting: Int = 10_000) {
        self.atOnce = atOnce
        self.perHost = perHost
        self.waiting = waiting
    }
}

/// Each has room of its own: nothing ordinary delays what is urgent.
public enum TransferLane: Hashable, Sendable, CaseIterable { case urgent, ordinary }
