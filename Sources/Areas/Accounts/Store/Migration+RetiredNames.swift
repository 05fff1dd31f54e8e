extension Migration {
    /// Names of deleted accounts, which are never reused: leftovers of an account at the broker or
    /// elsewhere must not reach another person.
    static let retiredNames = Migration(
        number: 5,
        statements: [
            // Keyed hashes of the names, not the names.
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
