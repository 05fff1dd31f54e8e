extension Migration {
    /// The operator can disable an account. `lock_out`: its devices, links and observers are still
    /// to be ended.
    static let lockedOut = Migration(
        number: 28,
        statements: [
            "ALTER TABLE users ADD COLUMN disabled_at_ms INTEGER",
            "ALTER TABLE users ADD COLUMN lock_out INTEGER NOT NULL DEFAULT 0",
            "CREATE INDEX users_to_lock_out ON users (id) WHERE lock_out",
        ])
}
