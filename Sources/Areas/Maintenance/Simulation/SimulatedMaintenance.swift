import Bridge
import Contract
import JSON
import Store
import Tracking

/// An operator who announces times without service.
///
/// Nobody is given the same warning twice.
final class SimulatedMaintenance: SimulatedArea {
    unowned let world: World
    private var warnings: Set<Warning> = []

    private struct Warning: Hashable {
        let user: Int64
        let details: [UInt8]
    }

    init(_ world: World) { self.world = world }

    var events: [(weight: Int, choice: () throws -> Void)] { [(1, { try self.announce() })] }

    private func announce() throws {
        // Not to the same second as another one: those would look the same.
        let from = world.wall + .seconds(world.chance.number(-60...200_000))
        guard world.chance.number(0...9) == 0,
            let text = try? MaintenanceText("A new disk")
        else { return }
        try world.operate(.announceMaintenance(from: from, to: from + .seconds(3_600), text))
    }

    private static let notice = "INSERT INTO notices"

    static var statements: [String] { [notice] }

    func committed(_ rows: [Written]) {
        for row in rows
        where row.begins(with: SimulatedMaintenance.notice) && row.text(2) == "maintenance" {
            guard let user = row.integer(1), let details = row.blob(3) else { continue }
            if !warnings.insert(Warning(user: user, details: details)).inserted {
                world.oracles.fail("maintenance", "user \(user) is warned twice of the same")
            }
        }
    }

    static func rows(in transaction: Transaction) throws(StoreError) -> [String] {
        try transaction.maintenances().map { "maintenance \($0)" }
    }

    static var canaries: [Canary] { [forgetWarned] }

    /// Who was warned is not stored.
    private static var forgetWarned: Canary {
        Canary("forgetWarned", foundBy: "maintenance", "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO maintenances") ? .skipped : nil
        }
    }
}
