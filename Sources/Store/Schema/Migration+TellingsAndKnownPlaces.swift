extension Migration {
    /// What many are told is told in steps, and rules know the place that their maker knows.
    static let tellingsAndKnownPlaces = Migration(
        number: 27, statements: tellingTables + knownPlaceColumns)
}
