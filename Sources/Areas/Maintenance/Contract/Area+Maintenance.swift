extension Area {
    /// Warns users whose vital signs are monitored that monitoring will be interrupted.
    static let maintenance = Area(
        "Maintenance",
        methods: [
            Method(
                "maintenance.announce", .makes, [],
                operators: MaintenanceOperatorCommand.announcement),
            Method(
                "maintenance.move", .changes, [], operators: MaintenanceOperatorCommand.move),
            Method(
                "maintenance.cancel", .changes, [],
                operators: Form.id("maintenance").map { MaintenanceOperatorCommand.cancel($0) }),
            Method(
                "maintenance.list", .reads, [],
                operators: Form { MaintenanceOperatorCommand.list }),
        ],
        notices: [.maintenance, .maintenanceCancelled])
}
