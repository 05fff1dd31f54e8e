internal import Contract
internal import Foundation
internal import Synchronization
internal import Tracking

/// The place where the trouble is made.
struct BenchSite: Sendable {
    let cast: Scene.Cast
    let settings: NeighbourSettings
    /// When its people were made.
    let since: Timestamp
    /// Of the bridge; the broker's is in it.
    let directory: String
    let port: UInt16
    let broker: Int32
    let log: BrokerLog
    var bridge: Int32 = 0
    /// `kith web`, and where it listens.
    var page: Int32 = 0
    var pagePort: UInt16 = 0

    /// Connected, and let in.
    func enter(_ user: String, buffer: Int32? = nil) throws -> RawClient {
        let client = RawClient()
        try client.open(port, buffer: buffer)
        introduce(client, user)
        try client.awaitAnswer()
        return client
    }

    func introduce(_ client: RawClient, _ user: String) {
        client.sendConnect("\(user).\(Stage.device)", user, cast.tokens[user]?.text ?? "none")
    }

    /// Somebody who is not logged in, as who that may be is not looked at.
    func enterAsGuest(_ clientID: String) throws -> RawClient {
        let client = RawClient()
        try client.open(port)
        client.sendConnect(clientID)
        try client.awaitAnswer()
        return client
    }

    func group(of user: String) -> String { cast.groupOf[user].map { "\($0)" } ?? "none" }

    /// What a member of the user's group watches.
    func members(_ user: String) -> String { "kith/groups/\(group(of: user))/members/+" }

    static func device(_ user: String) -> String { "kith/users/\(user)/devices/\(Stage.device)" }

    func publish(_ user: String, _ takenAt: Timestamp, _ number: Int, by client: RawClient) {
        var json = JSONWriter(capacity: 256)
        json.fix(FixPublisher.fix(number % 1000, takenAt), asReceived: false)
        client.sendPublish(
            BenchSite.device(user) + "/fix", json.bytes, packet: UInt16(number % 65_535 + 1))
    }

    /// Bytes that the broker holds now.
    var brokerMemory: Int { Usage.of(broker).memory }
}

/// How much the broker has written into its log.
final class BrokerLog: Sendable {
    private let count = Mutex(0)
    var bytes: Int { count.withLock { $0 } }
    func note(_ line: Int) { count.withLock { $0 += line } }
}
