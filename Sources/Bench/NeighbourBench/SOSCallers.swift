internal import Contract
internal import JSON
internal import MQTT
internal import Numbers
internal import Store
internal import Tracking

/// People who call for help in turn, each in a group with somebody who listens and without any
/// other activity until then. Neighbours must not change how long a call takes to reach the
/// listener.
final class SOSCallers {
    private var pairs: [Pair] = []
    private var delays: [Int64] = []
    private var next = 0
    private var lastCall: ContinuousClock.Instant?

    /// Calls per second, of all together.
    static let rate = 2
    private static let count = 16

    private static func caller(_ number: Int) -> String { "caller\(number)" }
    private static func listener(_ number: Int) -> String { "listener\(number)" }

    private final class Pair {
        enum State {
            case calm
            case called(ContinuousClock.Instant)
            /// Heard, but the end of the emergency has not arrived yet.
            case heard
        }

        let user: String
        let caller: Connection
        let listener: Connection
        var state = State.calm

        init(_ user: String, _ caller: Connection, _ listener: Connection) {
            self.user = user
            self.caller = caller
            self.listener = listener
        }
    }

    static func populate(_ population: inout Population) throws(StoreError) {
        for number in 0..<count {
            try population.add([caller(number), listener(number)], groupSize: 2)
        }
    }

    init(_ site: BenchSite) throws {
        for number in 0..<SOSCallers.count {
            let user = SOSCallers.caller(number)
            let pair = Pair(
                user, try site.connect(user), try site.connect(SOSCallers.listener(number)))
            try pair.listener.subscribe(to: ["kith/groups/\(site.group(of: user))/alerts"])
            try pair.listener.release()
            pairs.append(pair)
        }
    }

    /// Makes the next person call for help if it is time, unless nobody is calm.
    func callInTurn() throws {
        guard lastCall.map({ .now - $0 >= .seconds(1) / SOSCallers.rate }) ?? true else { return }
        lastCall = .now
        for _ in pairs {
            let pair = pairs[next]
            next = (next + 1) % pairs.count
            guard case .calm = pair.state else { continue }
            pair.state = .called(.now)
            return try ask("sos.trigger", pair)
        }
    }

    /// Handles what has arrived.
    func listen() throws {
        for pair in pairs {
            guard case .calm = pair.state else {
                try listen(pair)
                continue
            }
        }
    }

    var isAnyWaiting: Bool { pairs.contains { if case .called = $0.state { true } else { false } } }

    /// Returns the delays and resets them.
    func takeDelays() -> Delays {
        defer { delays = [] }
        let missing = pairs.count { if case .called = $0.state { true } else { false } }
        return Delays(delays, missing: missing)
    }

    private func ask(_ method: String, _ pair: Pair) throws {
        try pair.caller.publish(
            topic: "\(BenchSite.device(pair.user))/requests/\(method)", payload: Array("{}".utf8),
            qos: .atLeastOnce)
        try pair.caller.release()
    }

    private func listen(_ pair: Pair) throws {
        for message in pair.listener.receive(atMost: 100) {
            guard case .string(let kind)? = try JSONValue.parse(message.payload)["kind"] else {
                continue
            }
            switch (pair.state, kind) {
            case (.called(let start), "sos"):
                delays.append(Int64(clamping: (ContinuousClock.now - start).seconds * 1e6))
                pair.state = .heard
                try ask("sos.stop", pair)
            case (.heard, "sos-stopped"): pair.state = .calm
            default: break
            }
        }
        _ = pair.caller.receive(atMost: 100)
        for connection in [pair.caller, pair.listener] {
            _ = try FixPublisher.confirmations(connection)
            try connection.release()
        }
    }
}
