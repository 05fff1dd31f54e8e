internal import Contract
internal import JSON
internal import MQTT
internal import Numbers
internal import Store
internal import Tracking

/// People who call for help in turn, over MQTT and through the page, each in a group with a
/// listener and without any other activity until then. Neighbours must not change how long a call
/// takes to reach the listener.
final class SOSCallers {
    private var pairs: [Pair] = []
    private var delays: [Way: [Int64]] = [:]
    private var next = 0
    private var lastCall: ContinuousClock.Instant?

    /// Calls per second, of all together.
    static let rate = 4
    private static let count = 32

    private static func caller(_ number: Int) -> String { "caller\(number)" }
    private static func listener(_ number: Int) -> String { "listener\(number)" }

    enum Way {
        case broker
        case page
    }

    private enum Door {
        case broker(Connection)
        case page(PageAsker, token: String)

        var way: Way { if case .page = self { .page } else { .broker } }
    }

    private final class Pair {
        enum State {
            case calm
            case called(ContinuousClock.Instant)
            /// Received by the listener, and about to be ended.
            case heard
            /// The end of the emergency has not arrived yet.
            case ending
        }

        let user: String
        let caller: Door
        let listener: Connection
        var state = State.calm

        init(_ user: String, _ caller: Door, _ listener: Connection) {
            self.user = user
            self.caller = caller
            self.listener = listener
        }
    }

    static func populate(_ population: inout Population) throws {
        for number in 0..<count {
            try population.add([caller(number), listener(number)], groupSize: 2)
        }
    }

    init(_ site: BenchSite) throws {
        for number in 0..<SOSCallers.count {
            let user = SOSCallers.caller(number)
            let caller =
                number.isMultiple(of: 2)
                ? Door.broker(try site.connect(user))
                : .page(
                    PageAsker(site, from: "192.0.2.\(number)"), token: site.token(of: user))
            let pair = Pair(user, caller, try site.connect(SOSCallers.listener(number)))
            try pair.listener.subscribe(to: ["kith/groups/\(site.group(of: user))/alerts"])
            try pair.listener.release()
            pairs.append(pair)
        }
    }

    /// Makes the next calm person, if any, call for help if it is time.
    func callInTurn() throws {
        guard lastCall.map({ .now - $0 >= .seconds(1) / SOSCallers.rate }) ?? true else { return }
        lastCall = .now
        for _ in pairs {
            let pair = pairs[next]
            next = (next + 1) % pairs.count
            guard case .calm = pair.state, try ask("sos.trigger", pair) else { continue }
            pair.state = .called(.now)
            return
        }
    }

    /// Handles what has arrived.
    func listen() throws {
        for pair in pairs {
            if case .page(let asker, _) = pair.caller { _ = asker.answer() }
            guard case .calm = pair.state else {
                try listen(pair)
                continue
            }
        }
    }

    var isAnyWaiting: Bool { pairs.contains { if case .called = $0.state { true } else { false } } }

    /// Returns the delays and resets them.
    func takeDelays(by way: Way) -> Delays {
        defer { delays[way] = nil }
        let missing = pairs.count {
            if case .called = $0.state { $0.caller.way == way } else { false }
        }
        return Delays(delays[way] ?? [], missing: missing)
    }

    /// - Returns: false if the answer to the last request has not arrived yet.
    private func ask(_ method: String, _ pair: Pair) throws -> Bool {
        let payload = Array("{}".utf8)
        switch pair.caller {
        case .broker(let connection):
            try connection.publish(
                topic: "\(BenchSite.device(pair.user))/requests/\(method)", payload: payload,
                qos: .atLeastOnce)
            try connection.release()
        case .page(let asker, let token):
            guard !asker.isWaiting else { return false }
            try asker.post("/api/\(method)", token: token, payload)
        }
        return true
    }

    private func listen(_ pair: Pair) throws {
        for message in pair.listener.receive(atMost: 100) {
            guard case .string(let kind)? = try JSONValue.parse(message.payload)["kind"] else {
                continue
            }
            switch (pair.state, kind) {
            case (.called(let start), "sos"):
                let delay = Int64(clamping: (ContinuousClock.now - start).seconds * 1e6)
                delays[pair.caller.way, default: []].append(delay)
                pair.state = .heard
            case (.ending, "sos-stopped"): pair.state = .calm
            default: break
            }
        }
        if case .heard = pair.state, try ask("sos.stop", pair) { pair.state = .ending }
        try confirm(pair.listener)
        guard case .broker(let caller) = pair.caller else { return }
        _ = caller.receive(atMost: 100)
        try confirm(caller)
    }

    private func confirm(_ connection: Connection) throws {
        _ = try FixPublisher.confirmations(connection)
        try connection.release()
    }
}
