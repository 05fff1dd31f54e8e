extension Migration {
    /// Names of deleted accounts, which nobody gets again: what an account has left at the broker
    /// or elsewhere must reach nobody else.
    static let retiredNames = Migration(
        number: 5,
        statements: [
            // Not the names, but keyed hashes of them.
            "CREATE TABLE retired_names (mark BLOB PRIMARY KEY) STRICT, WITHOUT ROWID",
            """
            CREATE TABLE retired_names_key (
                only INTEGER PRIMARY KEY CHECK (only = 1),
                key BLOB NOT NULL
            ) STRICT
            """,
            "INSERT INTO retired_names_key (only, key) VALUES (1, randomblob(32))",
        ])
}
