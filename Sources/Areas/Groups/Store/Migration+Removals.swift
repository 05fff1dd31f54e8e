extension Migration {
    /// When a member of a group was last removed by another.
    static let removals = Migration(
        number: 28, statements: ["ALTER TABLE groups ADD COLUMN removed_at_ms INTEGER"])
}
