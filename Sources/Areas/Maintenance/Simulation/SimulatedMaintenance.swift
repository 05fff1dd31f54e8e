import Bridge
import Contract
import JSON
import Store
import Tracking

/// An operator who announces times without service.
///
/// No one gets the same warning twice, unless their monitoring has begun again.
final class SimulatedMaintenance: SimulatedArea {
    unowned let world: World
    private var warnings: Set<Warning> = []

    private struct Warning: Hashable {
        let user: Int64
        let details: [UInt8]
    }

    init(_ world: World) { self.world = world }

    var events: [(weight: Int, choice: () throws -> Void)] {
        [(1, { try self.announce() }), (1, { try self.change() })]
    }

    private func change() throws {
        let announced = world.oracles.read { try $0.maintenances() }
        guard let maintenance = announced?.last, world.chance.number(0...9) == 0 else { return }
        if world.chance.number(0...1) == 0 {
            return try world.operate(.cancelMaintenance(maintenance.id))
        }
        let from = world.wall + .seconds(world.chance.number(-60...200_000))
        try world.operate(
            .moveMaintenance(maintenance.id, from: from, to: from + .seconds(3_600), nil))
    }

    private func announce() throws {
        // Never the same second as another one: those would look identical.
        let from = world.wall + .seconds(world.chance.number(-60...200_000))
        guard world.chance.number(0...9) == 0 else { return }
        let text = try MaintenanceText("A new disk")
        try world.operate(.announceMaintenance(from: from, to: from + .seconds(3_600), text))
    }

    private static let notice = "INSERT INTO notices"

    private static let end = "DELETE FROM monitors"

    static var statements: [String] { [notice, end] }

    func committed(_ rows: [Written]) {
        for row in rows where row.begins(with: SimulatedMaintenance.end) {
            guard let user = row.integer(0) else { continue }
            warnings = warnings.filter { $0.user != user }
        }
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

    /// Bug: the warned users are not stored.
    private static var forgetWarned: Canary {
        Canary("forgetWarned", foundBy: "maintenance", "shadow") { attempted in
            attempted.sql.hasPrefix("INSERT INTO maintenances") ? .skipped : nil
        }
    }
}
