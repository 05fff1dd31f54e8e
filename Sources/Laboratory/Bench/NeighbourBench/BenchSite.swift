internal import Contract
internal import Foundation
internal import JSON
internal import Synchronization
internal import Tracking

/// The installation in which a nuisance acts.
struct BenchSite: Sendable {
    let cast: Scene.Cast
    let settings: NeighbourSettings
    /// When its people were created.
    let since: Timestamp
    /// The bridge's directory, which contains the broker's.
    let directory: String
    let port: UInt16
    let broker: Int32
    let log: BrokerLog
    var bridge: Int32 = 0
    /// The process identifier of `kith web`, and its port.
    var page: Int32 = 0
    var pagePort: UInt16 = 0

    /// Returns a connection that the broker has accepted.
    ///
    /// - Parameter isClean: as in `RawClient/sendConnect(_:_:_:isClean:)`.
    func enter(_ user: String, buffer: Int32? = nil, isClean: Bool = true) throws -> RawClient {
        let client = RawClient()
        try client.open(port, buffer: buffer)
        introduce(client, user, isClean: isClean)
        try client.awaitAnswer()
        return client
    }

    func introduce(_ client: RawClient, _ user: String, isClean: Bool = true) {
        client.sendConnect("\(user).\(Stage.device)", user, token(of: user), isClean: isClean)
    }

    /// Returns the token of the user's device.
    func token(of user: String) -> String { cast.tokens[user]?.text ?? "none" }

    /// Connects as a guest, who is not logged in and whose identity is not checked.
    func enterAsGuest(_ clientID: String) throws -> RawClient {
        let client = RawClient()
        try client.open(port)
        client.sendConnect(clientID)
        try client.awaitAnswer()
        return client
    }

    /// Returns when the page accepts connections, at the latest after half a minute.
    func awaitPage() throws {
        var buffer: [UInt8] = [0]
        for _ in 0..<300 {
            let client = RawClient()
            try client.open(pagePort)
            usleep(100_000)
            if client.read(into: &buffer) != nil { return }
        }
    }

    func group(of user: String) -> String { cast.groupOf[user].map { "\($0)" } ?? "none" }

    /// Returns the filter with which a member of the user's group watches it.
    func members(_ user: String) -> String { "kith/groups/\(group(of: user))/members/+" }

    static func device(_ user: String) -> String { "kith/users/\(user)/devices/\(Stage.device)" }

    func publish(_ user: String, _ takenAt: Timestamp, _ number: Int, by client: RawClient) {
        var json = JSONWriter(capacity: 256)
        json.fix(FixPublisher.fix(number % 1000, takenAt), asReceived: false)
        client.sendPublish(
            BenchSite.device(user) + "/fix", json.bytes, packet: UInt16(number % 65_535 + 1))
    }
}

/// The amount that the broker has written to its log.
final class BrokerLog: Sendable {
    private let count = Mutex(0)
    var bytes: Int { count.withLock { $0 } }
    func note(_ line: Int) { count.withLock { $0 += line } }
}
