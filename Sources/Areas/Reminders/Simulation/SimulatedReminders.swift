import Bridge
import Contract
import JSON
import Store
import Tracking

/// People who set reminders at places.
///
/// No one gets the same reminder twice, and nothing due waits for long.
final class SimulatedReminders: SimulatedArea {
    unowned let world: World
    private var told: Set<Telling> = []

    private struct Telling: Hashable {
        let user: Int64
        let details: [UInt8]
    }

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("reminders", description) }

    // MARK: Life

    static var asks: [Ask<Phone>] {
        [
            Ask(5, "reminder.create") { phone in
                let (world, chance) = (phone.world, phone.world.chance)
                let at = world.wall.milliseconds + Int64(chance.number(1_000...300_000))
                let rule = chance.happens(30) ? #","rrule":"FREQ=DAILY;COUNT=3""# : ""
                let when = chance.pick([
                    #""at":\#(at)"#, #""when":"opens""#, #""when":"near","radius":2000"#,
                ])
                return #""place":"\#(place(chance))","text":"R#",\#(when ?? "")\#(rule)"#
            },
            Ask(1, "reminder.update") { phone in
                known(phone).map { #""reminder":"\#($0)","text":"U#""# }
            },
            Ask(1, "reminder.delete") { phone in known(phone).map { #""reminder":"\#($0)""# } },
            Ask(1, "reminder.list"),
        ]
    }

    private static func place(_ chance: Chance) -> Name {
        SimulatedPlaces.id(chance.number(1...4))
    }

    /// Returns any user's reminder: those of others are refused.
    private static func known(_ phone: Phone) -> String? {
        let ids = phone.world.area(SimulatedReminders.self).ids
        return phone.world.chance.pick(ids)
    }

    private var ids: [String] = []

    // MARK: Attempts

    static var adversaryAsks: [Ask<Adversary>] {
        [
            Ask(1, "reminder.delete") { adversary in
                let ids = adversary.world.area(SimulatedReminders.self).ids
                return adversary.world.chance.pick(ids).map { #""reminder":"\#($0)""# }
            }
        ]
    }

    // MARK: Oracles

    static var statements: [String] { ["INSERT INTO notices", "INSERT INTO reminders"] }

    func committed(_ rows: [Written]) {
        for row in rows {
            if row.begins(with: "INSERT INTO reminders"), let id = row.text(0) {
                if !ids.contains(id) { ids.append(id) }
            } else if row.text(2) == "reminder", let user = row.integer(1),
                let details = row.blob(3)
            {
                if !told.insert(Telling(user: user, details: details)).inserted {
                    fail("user \(user) is reminded twice")
                }
            }
        }
    }

    func checkRest() throws {
        let overdue = world.oracles.read { transaction in
            try transaction.dueReminders(by: world.wall - .seconds(60), limit: 1)
        }
        if let overdue, !overdue.isEmpty { fail("a reminder is due, and not told") }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for user in try transaction.users() {
            for row in try transaction.reminders(of: user.id, after: "", limit: 1_000) {
                rows.append(
                    "reminder \(row.reminder.id) of \(row.user): \(row.reminder.text), "
                        + "\(row.nextAt as Any), \(row.isArmed), \(row.toldFor as Any)")
            }
        }
        return rows
    }

    static var canaries: [Canary] { [forgetTold] }

    /// Bug: it is not stored that a reminder was sent.
    private static var forgetTold: Canary {
        Canary("forgetTold", foundBy: "reminders", "shadow") { attempted in
            guard attempted.sql.hasPrefix("INSERT INTO reminders"), attempted.values.last != .null
            else { return nil }
            return .skipped
        }
    }
}
