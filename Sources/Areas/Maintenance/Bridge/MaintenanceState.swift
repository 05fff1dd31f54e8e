import Store
import Tracking

/// Announced times without service that have not ended.
final class MaintenanceState: AreaState {
    private(set) var announced: [UUIDv7: MaintenanceRow] = [:]

    init(_ transaction: Transaction, _ settings: BridgeSettings) throws {
        for row in try transaction.maintenances() { announced[row.id] = row }
    }

    var inOrder: [MaintenanceRow] { announced.values.sorted { $0.id < $1.id } }

    func set(_ maintenance: MaintenanceRow) { announced[maintenance.id] = maintenance }
    func remove(_ id: UUIDv7) { announced[id] = nil }
}
