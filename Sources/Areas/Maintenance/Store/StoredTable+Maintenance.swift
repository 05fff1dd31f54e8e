extension StoredTable {
    static let maintenance = [StoredTable("maintenances", .impersonal)]
}
