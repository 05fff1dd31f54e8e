internal import Dispatch
internal import Glibc
internal import Synchronization
public import Tracking

/// The signs of life of the bridge that decides: a notification several times per second, over a
/// connection and by a thread of their own, so that no statement and no turn delays them. If the
/// process or its machine freezes there are none, and a bridge that stands by takes over.
final class Lease: Sendable {
    private struct State {
        /// When the last sign was sent.
        var last: ContinuousClock.Instant
        /// When the bridge last did anything.
        var progress: ContinuousClock.Instant
        var isOver = false
    }

    private let state: Mutex<State>

    private static let pace = Duration.milliseconds(200)
    /// The silence after which another bridge takes over.
    static let patience = Duration.seconds(1)
    /// The silence after which the bridge makes sure that it still decides before it does anything.
    private static let doubt = Duration.milliseconds(700)
    /// A bridge that does nothing for longer has hung, and gives no signs.
    private static let longestWork = Duration.seconds(60)

    /// - Parameters:
    ///   - address: where the database is.
    ///   - channel: the channel of the signs, quoted.
    init(_ address: String, _ channel: String) {
        state = Mutex(State(last: .now, progress: .now))
        DispatchQueue(label: "lease", qos: .userInteractive).async { [weak self] in
            var connection: PostgreSQLConnection?
            while let lease = self, lease.mayGoOn {
                lease.give(over: &connection, address, channel)
                usleep(UInt32(Lease.pace.milliseconds) * 1_000)
            }
        }
    }

    /// Whether the last sign is so old that another bridge may have taken over.
    var isInDoubt: Bool { state.withLock { $0.last + Lease.doubt < .now } }

    func noteProgress() { state.withLock { $0.progress = .now } }

    /// Ends the signs: another bridge may decide at once.
    func end() { state.withLock { $0.isOver = true } }

    private var mayGoOn: Bool { state.withLock { !$0.isOver } }

    private func give(
        over connection: inout PostgreSQLConnection?, _ address: String, _ channel: String
    ) {
        let now = ContinuousClock.now
        let isWorking = state.withLock { now - $0.progress < Lease.longestWork }
        guard isWorking else { return }
        do throws(StoreError) {
            var live = connection
            if live == nil { live = try PostgreSQLConnection(address, readOnly: false) }
            guard let live else { return }
            live.patience = Lease.patience
            connection = live
            try live.send("NOTIFY \(channel)")
            try live.drain(.execute) { _ in }
            state.withLock { $0.last = now }
        } catch {
            connection = nil
        }
    }
}

/// The bridge that decides, as it is stored.
public struct Decider: Hashable, Sendable {
    /// How many bridges have begun to decide, with this one. Every commit checks that it is still
    /// the last.
    public var epoch: Int64
    /// The host and the process.
    public var name: String
    public var since: Timestamp
    /// Kith's version.
    public var version: String

    public init(epoch: Int64, name: String, since: Timestamp, version: String) {
        (self.epoch, self.name, self.since, self.version) = (epoch, name, since, version)
    }

    /// The name of the row in `service_keys`.
    static let key = "decider"

    var bytes: [UInt8] { Array("\(epoch) \(since.milliseconds) \(version) \(name)".utf8) }

    init?(_ bytes: [UInt8]) {
        let parts = String(decoding: bytes, as: UTF8.self)
            .split(separator: " ", maxSplits: 3).map(String.init)
        guard parts.count == 4, let epoch = Int64(parts[0]), let since = Int64(parts[1]) else {
            return nil
        }
        self.init(
            epoch: epoch, name: parts[3], since: Timestamp(milliseconds: since), version: parts[2])
    }
}

extension Transaction {
    /// The bridge that decides, or decided last; nil if none has on this database.
    public func decider() throws(StoreError) -> Decider? {
        try serviceKey(Decider.key).flatMap { Decider($0) }
    }
}
