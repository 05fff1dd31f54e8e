internal import Contract
internal import MQTT
internal import Store

/// A guest who registers with a response topic of more levels than the broker accepts from the
/// bridge.
struct DeepReply: NoisyNeighbour {
    private static let clientID = "deep"
    private static let levels = 210

    func name(_ settings: NeighbourSettings) -> String {
        "a guest's response topic of \(DeepReply.levels) levels"
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let asker = Asker(
            topic: "kith/guests/\(DeepReply.clientID)/requests/account.register",
            payload: #"{"username":"deep-#","email":"deep-#@example.org","password":"#
                + #""not to be seen","firstName":"D","lastName":"P","acceptTerms":true}"#,
            responseTopic: "kith/guests/\(DeepReply.clientID)/replies"
                + String(repeating: "/a", count: DeepReply.levels))
        return { isOn in
            try asker.ask(
                while: isOn,
                ConnectionOptions(port: Int32(site.port), clientID: DeepReply.clientID))
        }
    }
}

/// A user whose correlation data, together with the reply, exceeds the size of a packet.
struct LargeCorrelation: NoisyNeighbour {
    private static let user = "correlator"
    private static let length = 65_000

    func name(_ settings: NeighbourSettings) -> String {
        "\(LargeCorrelation.length) bytes of correlation data"
    }

    func populate(_ population: inout Population) throws {
        try population.addLoner(LargeCorrelation.user, groups: 1, path: 1000)
    }

    func prepare(in site: BenchSite) throws -> (_ isOn: () -> Bool) throws -> String {
        let user = LargeCorrelation.user
        var asker = Asker(
            topic: "\(BenchSite.device(user))/requests/path.get",
            payload: #"{"group":"\#(site.group(of: user))","user":"\#(user)"}"#)
        asker.correlationLength = LargeCorrelation.length
        let options = site.options(user)
        return { [asker] isOn in try asker.ask(while: isOn, options) }
    }
}

/// Sends a request every second, reconnecting if the connection has ended.
private struct Asker {
    let topic: String
    /// `#` is replaced by the number of the request.
    let payload: String
    var responseTopic: String?
    var correlationLength: Int?

    private static let pause = Duration.seconds(1)

    func ask(while isOn: () -> Bool, _ options: ConnectionOptions) throws -> String {
        let connection = try Connection(options)
        try connection.awaitConnected()
        var (asked, refused, cuts) = (0, 0, 0)
        var last: ContinuousClock.Instant?
        while isOn() {
            if last.map({ .now - $0 >= Asker.pause }) ?? true, connection.isConnected {
                last = .now
                asked += 1
                // The data differ each time, since a repetition would get the same reply again.
                let number = UInt8(truncatingIfNeeded: asked)
                do {
                    try connection.publish(
                        topic: topic,
                        payload: Array(payload.replacing("#", with: "\(asked)").utf8),
                        qos: .atLeastOnce,
                        correlationData: correlationLength.map {
                            [UInt8](repeating: number, count: $0)
                        }, responseTopic: responseTopic)
                    try connection.release()
                } catch {
                    refused += 1
                }
            }
            try connection.wait(atMost: 20)
            _ = connection.receive(atMost: 100)
            for case .disconnected in connection.takeEvents() { cuts += 1 }
            if !connection.isConnected { try connection.awaitConnected() }
            try connection.release()
        }
        return "\(asked) requests, \(refused) not sent, cut off \(cuts) times"
    }
}
