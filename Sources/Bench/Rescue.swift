internal import Contract
internal import MQTT
internal import Synchronization
internal import Tracking

/// Users who call for help, one after the other, and a member of their groups who notes how long
/// each call took to reach him.
final class Rescue: Sendable {
    private let port: UInt16
    private let groups: [GroupKey]
    private let groupOf: [String: GroupKey]
    private let delays = Mutex<[Int64]>([])
    private let isStopped = Mutex(false)

    /// Milliseconds between two calls.
    private static let pause: Int64 = 50
    /// Milliseconds until a call counts as lost.
    private static let patience: Int64 = 10_000

    init(port: UInt16, groups: [GroupKey], groupOf: [String: GroupKey]) {
        self.port = port
        self.groups = groups
        self.groupOf = groupOf
    }

    func stop() { isStopped.withLock { $0 = true } }

    /// Milliseconds.
    var latency: Latency? { Latency(delays.withLock { $0 }) }

    func run() throws {
        let connection = try Connection(
            ConnectionOptions(port: Int32(port), clientID: "bench.rescue"))
        try connection.awaitConnected()
        try connection.subscribe(to: groups.map { "kith/groups/\($0)/alerts" })
        try connection.release()
        let sampled = Set(groups)
        for (user, group) in groupOf where sampled.contains(group) {
            if isStopped.withLock({ $0 }) { return }
            try call(user, connection)
            let next = Crowd.now + .milliseconds(Rescue.pause)
            while Crowd.now < next { _ = try listen(connection) }
        }
    }

    private func call(_ user: String, _ connection: Connection) throws {
        let start = Crowd.now
        try connection.publish(
            topic: "kith/users/\(user)/devices/\(Stage.device)/requests/sos.trigger",
            payload: Array("{}".utf8), qos: .atLeastOnce)
        try connection.release()
        while Crowd.now < start + .milliseconds(Rescue.patience) {
            for alert in try listen(connection) where alert["user"] == .string(user) {
                let delay = (Crowd.now - start).milliseconds
                return delays.withLock { $0.append(delay) }
            }
        }
        delays.withLock { $0.append(Rescue.patience) }
    }

    private func listen(_ connection: Connection) throws -> [JSONValue] {
        try connection.wait(atMost: 5)
        let messages = connection.receive(atMost: 1000)
        _ = connection.takeEvents()
        try connection.release()
        return try messages.map { try JSONValue.parse($0.payload) }
    }
}
