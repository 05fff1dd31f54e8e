import Contract
import MQTT
import Store
import Tracking

/// Checks that whatever one party sends, everyone else's next fix, request and call for help get
/// through: while nothing is broken, messages passed to a running broker wait for no more than a
/// fixed number of passes of the bridge's loop.
final class PassageOracle {
    private unowned let oracles: Oracles
    private var world: World { oracles.world }
    private var waiting: [Passage] = []
    private var looks = 0

    /// The number of passes of the bridge's loop, and the minimum time in which they must happen.
    private static let patience = (looks: 80, time: Duration.seconds(30))

    private struct Passage {
        let what: String
        /// Whether it got through, or no longer has to.
        let isThrough: () -> Bool
        /// Whether it may be lost when something breaks.
        let mayBeLost: Bool
        /// The fix's sender: a fix is read after those that the phone has sent before.
        let line: String?
        /// The pass since which it has been waiting with nothing broken.
        var look: Int
        var at: Duration
    }

    init(_ oracles: Oracles) { self.oracles = oracles }

    /// Records that a phone has passed its fixes to its connection.
    func sent(_ times: [Timestamp], by phone: Phone) {
        // Fixes with later times, from a wrong clock, may be refused.
        for time in times where time <= world.wall {
            wait("the fix of \(time.milliseconds)", for: phone, isBehindOthers: true) {
                [unowned world = self.world, unowned oracles = self.oracles] in
                // A clock that was set back may have put it into the future.
                time > world.wall || oracles.isStored(time, phone.user, phone.device)
            }
        }
    }

    /// The answer to a read, or one with a secret, may be lost with the bridge, and so may a
    /// request with a password, which is stored nowhere: the phone has to repeat it.
    func asked(_ request: AskedRequest, by phone: Phone) {
        let method = Method.named(request.method)
        let mayBeLost =
            method.map { $0.isRead || $0.hasSecretAnswer || $0.hasPassword } ?? false
        let replies = world.topics.string(.replies(phone.user, device: phone.device, suffix: ""))
        let answer = Array("{\"id\":\(request.number),".utf8)
        wait("request \(request.number)", for: phone, mayBeLost: mayBeLost) {
            [unowned world = self.world] in
            // A phone receives the broker's messages in order, at its own pace.
            let session = world.broker.state.sessions[phone.id]
            return phone.unanswered[request.number] == nil
                || session?.awaits(replies) { $0.starts(with: answer) } == true
        }
    }

    /// Records something that has to get through, regardless of its sender.
    func expect(_ what: String, isThrough: @escaping () -> Bool) {
        wait(what, mayBeLost: false, isThrough)
    }

    /// Restarts all counts, because something broke or was restored.
    func disturbed() {
        waiting.removeAll(where: \.mayBeLost)
        for index in waiting.indices {
            (waiting[index].look, waiting[index].at) = (looks, world.steady)
        }
    }

    /// Records that the bridge has finished a pass.
    func looked() {
        looks += 1
        guard isJudging else { return }
        var moved: Set<String> = []
        waiting.removeAll { passage in
            guard passage.isThrough() else { return false }
            if let line = passage.line { moved.insert(line) }
            return true
        }
        // A client with much to send is read as fast as its own allowance permits.
        for index in waiting.indices where waiting[index].line.map(moved.contains) ?? false {
            (waiting[index].look, waiting[index].at) = (looks, world.steady)
        }
        guard
            let late = waiting.first(where: {
                looks - $0.look > PassageOracle.patience.looks
                    && world.steady - $0.at > PassageOracle.patience.time
            })
        else { return }
        oracles.fail("passage", "\(late.what) does not get through")
    }

    private var isJudging: Bool { world.isHostile }

    private func wait(
        _ what: String, for phone: Phone, mayBeLost: Bool = false, isBehindOthers: Bool = false,
        _ isThrough: @escaping () -> Bool
    ) {
        guard let wire = phone.wire, wire.isOpen, phone.isLoggedIn else { return }
        wait(
            "\(what) of \(phone.id)", mayBeLost: mayBeLost, line: isBehindOthers ? phone.id : nil
        ) {
            // Once disconnected, the phone sends again, and a new wait begins.
            !wire.isOpen || phone.wire !== wire || !phone.isLoggedIn || isThrough()
        }
    }

    private func wait(
        _ what: String, mayBeLost: Bool, line: String? = nil, _ isThrough: @escaping () -> Bool
    ) {
        guard isJudging else { return }
        waiting.append(
            Passage(
                what: what, isThrough: isThrough, mayBeLost: mayBeLost, line: line, look: looks,
                at: world.steady))
    }
}
