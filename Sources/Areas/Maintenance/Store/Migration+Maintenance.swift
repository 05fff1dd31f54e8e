extension Migration {
    /// Announced times without service. `warnings`: how many of the two everybody has been given;
    /// `told_through`: the last user who has been given the present one; `next_at_ms`: when that goes
    /// on.
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
