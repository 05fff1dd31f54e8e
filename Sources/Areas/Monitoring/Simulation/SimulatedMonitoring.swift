import Bridge
import Contract
import EarlyWarning
import MQTT
import Sealing
import Store
import Tracking

/// People whose vital signs are monitored.
///
/// The store has an incident for each person in need, and no others. Only people who agreed are
/// monitored, and they have chosen only groups of which they are members.
final class SimulatedMonitoring: SimulatedArea {
    unowned let world: World

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("monitoring", description) }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(3, "emergency.subscribe"),
            Ask(2, "emergency.subscribe") { #""groups":["\#($0.anyGroup)"]"# },
            Ask(1, "emergency.thresholds") { phone in
                let high = phone.world.chance.number(60...200)
                return #""thresholds":{"heartRate":{"high":\#(high)}}"#
            },
            Ask(1, "emergency.get"), Ask(3, "emergency.fine"), Ask(3, "emergency.reactivate"),
            Ask(1, "emergency.unsubscribe"),
        ]
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [Ask(1, "emergency.subscribe"), Ask(1, "emergency.fine"), Ask(1, "emergency.get")]
    }

    var events: [(weight: Int, choice: () throws -> Void)] { [(2, { self.fallIll() })] }

    /// Lets a person's watch measure dangerous values, once or twice.
    private func fallIll() {
        guard let phone = world.chance.pick(world.phones), phone.app.canAsk, phone.isConnected
        else { return }
        for age in world.chance.number(0...1)...1 {
            let takenAt = phone.wall - .seconds(1 - age)
            phone.publish(
                Message(
                    topic: world.topics.string(.vitals(phone.user, device: phone.device)),
                    payload: Array(
                        #"{"timestamp":\#(takenAt.milliseconds),"heartRate":\#(world.chance.number(20...38)),"oxygenSaturation":\#(world.chance.number(80...99))}"#
                            .utf8)))
        }
    }

    // MARK: At rest

    func checkRest() throws {
        guard let keys = SimulatedVitals.keys else { return }
        let wrong = world.oracles.read { transaction in
            var wrong: [String] = []
            let agreeing = Set(try transaction.vitalsConsents().map(\.user))
            let called = Set(try transaction.openIncidents().map(\.user))
            let joined = Dictionary(grouping: try transaction.memberships(), by: \.user)
            for row in try transaction.monitors() {
                guard let monitored = try row.opened(with: keys) else {
                    wrong.append("a monitor cannot be read")
                    continue
                }
                let groups = Set(joined[row.user, default: []].map(\.group))
                if monitored.groups.map({ groups.isSuperset(of: $0) }) != true {
                    wrong.append("groups are chosen that \(row.user) is not in")
                }
                if !agreeing.contains(row.user) { wrong.append("\(row.user) does not agree") }
                if case .inNeed = monitored.monitor.state, !called.contains(row.user) {
                    wrong.append("nobody was called for \(row.user)")
                }
                if case .asked(let question) = monitored.monitor.state,
                    question.deadline + .seconds(60) < self.world.wall
                {
                    wrong.append("\(row.user) was asked, and nothing came of it")
                }
            }
            return wrong
        }
        for wrong in wrong ?? [] { fail(wrong) }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        guard let keys = SimulatedVitals.keys else { return [] }
        var rows: [String] = []
        for row in try transaction.monitors() {
            let content = try row.opened(with: keys)
                .map { String(decoding: $0.stored, as: UTF8.self) }
            rows.append("\(row.user) is watched since \(row.since): \(content ?? "")")
        }
        return rows
    }

    static var canaries: [Canary] { [forgetMonitors] }

    /// Bug: the result of a sample is not stored.
    private static var forgetMonitors: Canary {
        Canary("forgetMonitors", foundBy: "monitoring", "shadow", "dispatch") { attempted in
            attempted.sql.hasPrefix("INSERT INTO monitors") ? .skipped : nil
        }
    }
}
