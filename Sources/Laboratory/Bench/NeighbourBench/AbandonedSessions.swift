internal import Contract
internal import Glibc
internal import Store

/// A person who leaves behind sessions that subscribe to the person's own publications.
struct AbandonedSessions: NoisyNeighbour {
    private static let user = "leaver"
    private static let sessions = 2_000
    private static let payload = Array("0123456789".utf8)
    /// The pause between connections, in microseconds: slightly fewer than 100 per second.
    private static let pause: UInt32 = 11_000

    func name(_ settings: NeighbourSettings) -> String {
        "\(AbandonedSessions.sessions) abandoned sessions"
    }

    func populate(_ population: inout Population) throws {
        try population.add([AbandonedSessions.user], groupSize: 1)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let topic = BenchSite.device(AbandonedSessions.user) + "/status"
        let granted = AbandonedSessions.leave(topic, in: site)
        let pusher = try Pusher(AbandonedSessions.user, in: site)
        return { isOn in
            pusher.push(while: isOn) { client, number in
                client.sendPublish(
                    topic, AbandonedSessions.payload, packet: UInt16(number % 65_535 + 1))
            }
            return "\(granted) sessions, " + pusher.report("messages")
        }
    }

    /// - Returns: how many of the subscriptions were granted.
    private static func leave(_ topic: String, in site: BenchSite) -> Int {
        var granted = 0
        for number in 0..<sessions {
            let client = RawClient()
            do {
                try client.open(site.port)
                client.sendConnect(
                    "\(user).\(number)", user, site.cast.tokens[user]?.text, isClean: false)
                try client.awaitAnswer()
                client.sendSubscribe(topic, qos: 1)
                try client.awaitAnswer()
                granted += 1
            } catch {
                // The connection was refused.
            }
            usleep(pause)
        }
        return granted
    }
}
