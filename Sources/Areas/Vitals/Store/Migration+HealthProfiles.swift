extension Migration {
    /// Health profiles, encrypted. `ssn_mark`: a keyed hash of the number.
    static let healthProfiles = [
        """
        CREATE TABLE health_profiles (
            user_id INTEGER PRIMARY KEY REFERENCES users (id),
            key_id INTEGER NOT NULL,
            sealed BLOB NOT NULL,
            ssn_mark BLOB
        ) STRICT
        """,
        "CREATE INDEX health_profiles_by_ssn ON health_profiles (ssn_mark) WHERE ssn_mark IS NOT NULL",
        "CREATE INDEX health_profiles_by_key ON health_profiles (key_id)",
    ]
}
