import Contract
import MQTT
import Store
import Tracking

/// Checks that whatever one party sends, everybody else's next fix, request and call for help get
/// through: while nothing is broken, what has been handed to a running broker waits for no more
/// than a fixed number of passes of the bridge's loop.
final class PassageOracle {
    private unowned let oracles: Oracles
    private var world: World { oracles.world }
    private var waiting: [Passage] = []
    private var looks = 0

    /// The number of passes of the bridge's loop, and the minimum time in which they must happen.
    private static let patience = (looks: 80, time: Duration.seconds(30))

    private struct Passage {
        enum What {
            case fix(Timestamp)
            case request(Int)
            /// Already stored; it has to be published.
            case alert(String)
        }

        let what: What
        /// Nil for alerts.
        let phone: Phone?
        let wire: SimulatedSocket?
        /// The pass since which it has been waiting with nothing broken.
        var look: Int
        var at: Duration
    }

    init(_ oracles: Oracles) { self.oracles = oracles }

    /// Notes that a phone has handed its fixes to its connection.
    func sent(_ times: [Timestamp], by phone: Phone) {
        // Fixes with later times, from a wrong clock, may be refused.
        for time in times where time <= world.wall { wait(.fix(time), for: phone) }
    }

    func asked(_ request: Int, by phone: Phone) { wait(.request(request), for: phone) }

    func raised(_ alert: Row.Raised) {
        guard isJudging else { return }
        waiting.append(
            Passage(what: .alert(alert.id), phone: nil, wire: nil, look: looks, at: world.steady))
    }

    /// Starts all counts again, because something broke or came back. The answer to a read may be
    /// lost with the bridge: the phone has to ask again.
    func disturbed() {
        waiting.removeAll { isRead($0) }
        for index in waiting.indices {
            (waiting[index].look, waiting[index].at) = (looks, world.steady)
        }
    }

    /// Notes that the bridge has finished a pass.
    func looked() {
        looks += 1
        guard isJudging else { return }
        waiting.removeAll { isThrough($0) }
        guard
            let late = waiting.first(where: {
                looks - $0.look > PassageOracle.patience.looks
                    && world.steady - $0.at > PassageOracle.patience.time
            })
        else { return }
        oracles.fail("passage", "\(describe(late)) does not get through")
    }

    private var isJudging: Bool { world.isHostile }

    private func wait(_ what: Passage.What, for phone: Phone) {
        guard isJudging, let wire = phone.wire, wire.isOpen, phone.isLoggedIn else { return }
        waiting.append(
            Passage(what: what, phone: phone, wire: wire, look: looks, at: world.steady))
    }

    /// Whether it got through, or no longer has to.
    private func isThrough(_ passage: Passage) -> Bool {
        if case .alert(let id) = passage.what {
            return oracles.publishedAlerts[id] != nil || !isStored(id)
        }
        // Once disconnected, the phone sends again, and a new wait begins.
        guard let phone = passage.phone, let wire = passage.wire, wire.isOpen,
            phone.wire === wire, phone.isLoggedIn
        else { return true }
        return switch passage.what {
        // A clock that was set back may have made it one from the future, which is refused.
        case .fix(let takenAt):
            takenAt > world.wall || oracles.isStored(takenAt, phone.user, phone.device)
        case .request(let number): phone.unanswered[number] == nil
        case .alert: true
        }
    }

    private func isRead(_ passage: Passage) -> Bool {
        guard case .request(let number) = passage.what,
            let method = passage.phone?.unanswered[number]?.topic.split(separator: "/").last
        else { return false }
        return Method.named(String(method))?.isRead ?? false
    }

    /// Whether the alert still exists; it may have gone with its group or the person.
    private func isStored(_ alert: String) -> Bool {
        do {
            return try oracles.reader.transaction { transaction throws(StoreError) in
                guard let id = UUIDv7(alert) else { return false }
                return try transaction.alert(id) != nil
            }
        } catch {
            return true
        }
    }

    private func describe(_ passage: Passage) -> String {
        let what =
            switch passage.what {
            case .fix(let takenAt): "the fix of \(takenAt.milliseconds)"
            case .request(let number): "request \(number)"
            case .alert(let id): "alert \(id)"
            }
        return passage.phone.map { "\(what) of \($0.id)" } ?? what
    }
}
