extension Migration {
    /// Notifications to many people are sent in steps, rules store the place known to their
    /// creator, groups store when a member was last removed by another, deleted data does not come
    /// back, read marks are known on every device, announced maintenance can be moved and
    /// cancelled, requests, reads and deliveries of services are limited, organisers choose the
    /// time by which runners are ranked, and one clear position is an arrival.
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
