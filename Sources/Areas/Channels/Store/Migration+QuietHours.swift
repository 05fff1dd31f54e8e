extension Migration {
    /// Hours in which a channel receives only calls for help, and the deliveries held until their
    /// end.
    static let quietHours = Migration(
        number: 14,
        statements: [
            // Minutes since midnight.
            "ALTER TABLE channels ADD COLUMN quiet_from INTEGER",
            "ALTER TABLE channels ADD COLUMN quiet_to INTEGER",
            "ALTER TABLE channels ADD COLUMN quiet_zone TEXT",
            "ALTER TABLE deliveries ADD COLUMN held INTEGER NOT NULL DEFAULT 0",
        ])
}
