extension Area {
    /// Warning those whose vital signs are watched that nobody will watch them for a while.
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
