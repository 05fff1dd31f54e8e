import Bridge
import Contract
import JSON
import MQTT
import Sealing
import Store
import Tracking

/// People whose wearables measure vital signs.
///
/// Nothing is stored for people who have not agreed, nothing is stored twice, and in the end no
/// data is left of people who have withdrawn.
final class SimulatedVitals: SimulatedArea {
    unowned let world: World
    /// The users whose consent is on disk.
    private var consenting: Set<Int64> = []
    /// The stored kinds by device and moment.
    private var stored: [Moment: Int64] = [:]

    private struct Moment: Hashable {
        let device: Int64
        let takenAt: Int64
    }

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("vitals", description) }

    static let keys = SealingKeys("1 " + String(repeating: "A", count: 43))

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(3, "vitals.consent") { _ in #""version":"1""# },
            Ask(3, "vitals.withdraw"),
            Ask(2, "health.profile") { phone in
                #""ssn":"\#(phone.world.chance.number(1000...1003))","residence":"Ljubljana""#
            },
            Ask(2, "vitals.list") { #""limit":\#($0.world.chance.number(1...20))"# },
        ]
    }

    var events: [(weight: Int, choice: () throws -> Void)] { [(6, { self.measure() })] }

    private func measure() {
        guard let phone = world.chance.pick(world.phones), phone.app.canAsk, phone.isConnected
        else { return }
        let takenAt = phone.wall - world.chance.milliseconds(0...3000)
        let values = [
            #""heartRate":\#(world.chance.number(40...180))"#,
            #""oxygenSaturation":97,"bodyTemperature":36.6"#, #""heartRate":9999"#,
        ]
        guard let value = world.chance.pick(values) else { return }
        phone.publish(
            Message(
                topic: world.topics.string(.vitals(phone.user, device: phone.device)),
                payload: Array(
                    #"{"timestamp":\#(takenAt.milliseconds),\#(value)}"#.utf8)))
    }

    // MARK: Attempts

    func targets(_ victim: Name) -> Targets {
        let topic = "kith/users/\(victim)/devices/phone/vitals"
        return Targets(filters: ["kith/users/+/devices/+/vitals", topic], topics: [topic])
    }

    static var adversaryAsks: [Ask<Adversary>] {
        [Ask(1, "vitals.list"), Ask(1, "vitals.consent") { _ in #""version":"1""# }]
    }

    // MARK: On disk

    private static let consent = "INSERT INTO vitals_consents"
    private static let end = "UPDATE vitals_consents SET ended_at_ms"
    private static let sample = "INSERT INTO vitals ("

    static var statements: [String] { [consent, end, sample] }

    func committed(_ rows: [Written]) {
        for row in rows {
            if row.begins(with: SimulatedVitals.consent), let user = row.integer(0) {
                consenting.insert(user)
            } else if row.begins(with: SimulatedVitals.end), let user = row.integer(1) {
                consenting.remove(user)
            } else if row.begins(with: SimulatedVitals.sample) {
                note(row)
            }
        }
    }

    private func note(_ row: Written) {
        guard let user = row.integer(1), let device = row.integer(2), let takenAt = row.integer(3),
            let kinds = row.integer(6)
        else { return fail("a sample is damaged") }
        if !consenting.contains(user) { fail("user \(user) has not agreed") }
        let moment = Moment(device: device, takenAt: takenAt)
        if stored[moment, default: 0] & kinds != 0, !isDeleted { fail("a sample is stored twice") }
        stored[moment, default: 0] |= kinds
    }

    /// Whether data may have been stored again after its deletion.
    private var isDeleted: Bool {
        world.methodsAsked.contains("data.delete")
            || world.methodsAsked.contains("vitals.withdraw")
    }

    // MARK: At rest

    func checkRest() throws {
        let left = world.oracles.read { transaction in
            let agreeing = Set(try transaction.vitalsConsents().map(\.user))
            var left: [UserRow] = []
            for user in try transaction.users() where !agreeing.contains(user.id) {
                let rows = try transaction.vitals(
                    of: user.id, from: nil, to: nil, before: nil, limit: 1)
                if !rows.isEmpty { left.append(user) }
            }
            return left
        }
        for user in left ?? [] { fail("something is left of \(user.name), who does not agree") }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows = try transaction.vitalsConsents().map { "consent \($0)" }
        for user in try transaction.users() {
            if let sealed = try transaction.healthProfile(of: user.id) {
                let content = keys?.open(sealed, as: Transaction.profileContext(user.id))
                rows.append(
                    "profile of \(user.id): \(String(decoding: content ?? [], as: UTF8.self))")
            }
            for row in try transaction.vitals(
                of: user.id, from: nil, to: nil, before: nil, limit: 100_000)
            {
                guard let vitals = keys.flatMap({ row.opened(with: $0) }) else {
                    rows.append("a sample of \(row.device) cannot be opened")
                    continue
                }
                let content = String(decoding: vitals.sealedContent, as: UTF8.self)
                rows.append("sample of \(row.device) at \(row.takenAt): \(content)")
            }
        }
        return rows
    }

    static var canaries: [Canary] { [forgetWithdrawal] }

    /// Bug: data is not deleted after a withdrawal.
    private static var forgetWithdrawal: Canary {
        Canary("forgetWithdrawal", foundBy: "vitals", "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO vitals_deletions") ? .skipped : nil
        }
    }
}
