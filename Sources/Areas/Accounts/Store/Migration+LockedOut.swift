extension Migration {
    /// The operator can lock somebody out.
    static let lockedOut = Migration(
        number: 28,
        statements: [
            "ALTER TABLE users ADD COLUMN disabled_at_ms INTEGER",
            "CREATE INDEX users_disabled ON users (disabled_at_ms) WHERE disabled_at_ms IS NOT NULL",
        ])
}
