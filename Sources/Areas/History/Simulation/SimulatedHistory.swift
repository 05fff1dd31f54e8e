import Bridge
import Contract
import Store
import Tracking

/// People who read their own history, import and delete positions.
///
/// Every counted position of an import exists, and deleted ones are gone. That none of them is
/// shown to others is checked by the oracles for publications: they were never fixes.
final class SimulatedHistory: SimulatedArea {
    unowned let world: World

    init(_ world: World) { self.world = world }

    private func fail(_ description: String) { world.oracles.fail("history", description) }

    private static let sources = ["Takeout", "Watch", "Old phone"]

    static var asks: [Ask<Phone>] {
        [
            Ask(1, "position.list") {
                "\(stretch($0)),\"every\":\($0.world.chance.number(0...60))"
            },
            Ask(1, "data.delete") { "\"what\":\"vitals\",\(stretch($0))" },
            Ask(1, "data.delete") { "\"what\":\"positions\",\(stretch($0, days: 30))" },
            Ask(2, "import.add") { phone in
                source(phone).map { "\"source\":\"\($0)\",\"positions\":[\(positions(phone))]" }
            },
            Ask(1, "import.list"),
            Ask(1, "import.delete") { phone in source(phone).map { "\"source\":\"\($0)\"" } },
        ]
    }

    private static func source(_ phone: Phone) -> String? { phone.world.chance.pick(sources) }

    /// Returns a random time range until now.
    private static func stretch(_ phone: Phone, days: Int = 0) -> String {
        let length = phone.world.chance.milliseconds(0...600_000) + .seconds(days * 86_400)
        let from = phone.world.wall - length
        return #""from":\#(from.milliseconds),"to":\#(phone.world.wall.milliseconds)"#
    }

    /// Returns a few minutes of a day in the last month, away from everyone's current position.
    private static func positions(_ phone: Phone) -> String {
        let chance = phone.world.chance
        let start = phone.world.wall - .seconds(chance.number(0...30) * 86_400)
        return (0..<chance.number(1...20)).map { minute in
            let time = start - .seconds(60 * minute)
            return #"{"latitude":-46.\#(minute),"longitude":7,"timestamp":\#(time.milliseconds)}"#
        }.joined(separator: ",")
    }

    static var adversaryAsks: [Ask<Adversary>] { [Ask(1, "import.list")] }

    // MARK: On disk

    func checkRest() throws {
        let found = world.oracles.read { transaction in
            var wrong: [String] = []
            for user in try transaction.users() {
                let counts = try SimulatedHistory.counts(of: user.id, transaction)
                for one in try transaction.imports(of: user.id)
                where counts[one.id] ?? 0 != one.positions {
                    wrong.append("\(user.name) has another number from \(one.source)")
                }
                if counts[nil] != nil { wrong.append("something of \(user.name)'s is left") }
            }
            return wrong
        }
        for wrong in found ?? [] { fail(wrong) }
    }

    /// Returns the counts by import; nil for positions being deleted.
    private static func counts(of user: UserID, _ transaction: Transaction)
        throws(StoreError) -> [Int64?: Int64]
    {
        var counts: [Int64?: Int64] = [:]
        for row in try rows(of: user, transaction) {
            counts[row.source == nil ? nil : row.importID, default: 0] += 1
        }
        return counts
    }

    private static func rows(of user: UserID, _ transaction: Transaction)
        throws(StoreError) -> [ImportedPosition]
    {
        try transaction.importedPositions(
            of: user, from: Timestamp(milliseconds: 0), to: Timestamp(milliseconds: 1 << 50),
            limit: 100_000)
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        var rows: [String] = []
        for user in try transaction.users() {
            rows += try transaction.imports(of: user.id).map { "import of \(user.id): \($0)" }
            rows += try self.rows(of: user.id, transaction).map {
                "\(user.id) was at \($0.position) of \($0.importID)"
            }
        }
        return rows
    }

    static var canaries: [Canary] { [forgetCount] }

    /// Bug: added positions are not counted. Deleting them is then rejected by the store, so that
    /// some requests are never answered.
    private static var forgetCount: Canary {
        Canary("forgetCount", foundBy: "history", "shadow", "rest") { attempted in
            attempted.sql.hasPrefix("UPDATE imports SET positions = positions +")
                ? .skipped : nil
        }
    }
}
