extension Area {
    /// Warns users whose vital signs are monitored that monitoring will be interrupted.
    static let maintenance = Area(
        "Maintenance",
        methods: [
            Method("maintenance.announce", .makes, .operators),
            Method("maintenance.move", .changes, .operators),
            Method("maintenance.cancel", .changes, .operators),
            Method("maintenance.list", .reads, .operators),
        ],
        notices: [.maintenance, .maintenanceCancelled])
}
