extension Migration {
    /// A message over which the broker ended connections is kept, but no longer sent.
    static let outboxPutAside = Migration(
        number: 2,
        statements: ["ALTER TABLE outbox ADD COLUMN put_aside_at_ms INTEGER"])
}
