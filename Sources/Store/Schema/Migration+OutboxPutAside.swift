extension Migration {
    /// A message over which the broker ended connections is kept, and not sent any more.
    static let outboxPutAside = Migration(
        number: 2,
        statements: ["ALTER TABLE outbox ADD COLUMN put_aside_at_ms INTEGER"])
}
