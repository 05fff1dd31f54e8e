extension Migration {
    /// What many are told is told in steps, rules know the place that their maker knows, groups know
    /// when a member was last removed by another, what was deleted does not come back, read marks are
    /// known on every device, announced maintenance can be moved and taken back, what services ask,
    /// read and receive has its borders, organisers choose by which time runners are ranked, and one clear
    /// position is an arrival.
    static let tellingsAndKnownPlaces = Migration(
        number: 27,
        statements: tellingTables + knownPlaceColumns
            + [
                "ALTER TABLE groups ADD COLUMN removed_at_ms INTEGER",
                "ALTER TABLE maintenances ADD COLUMN change TEXT",
                "ALTER TABLE deliveries ADD COLUMN suspended INTEGER NOT NULL DEFAULT 0",
                "CREATE INDEX invitations_of_invitee ON invitations (invitee) WHERE invitee IS NOT NULL",
            ]
            + deletedVitalsTable + readMarkColumns + serviceBorders + rankingColumns
            + clearPositionColumns)
}
