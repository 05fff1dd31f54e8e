extension Migration {
    /// Announced times without service. `warnings`: the number of the two warnings that everyone
    /// has received; `told_through`: the last user to receive the current one; `next_at_ms`: when
    /// it continues.
    static let maintenances = [
        """
        CREATE TABLE maintenances (
            id TEXT PRIMARY KEY,
            from_ms INTEGER NOT NULL,
            to_ms INTEGER NOT NULL,
            text TEXT NOT NULL,
            is_late INTEGER NOT NULL,
            warnings INTEGER NOT NULL,
            told_through INTEGER NOT NULL,
            next_at_ms INTEGER
        ) STRICT, WITHOUT ROWID
        """
    ]
}
