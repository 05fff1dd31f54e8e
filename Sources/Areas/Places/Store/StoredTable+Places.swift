extension StoredTable {
    static let places = [StoredTable("places", .impersonal)]
}
