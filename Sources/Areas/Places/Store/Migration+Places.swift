extension Migration {
    static let placesOfOrganisation = [
        """
        CREATE TABLE places (
            id TEXT PRIMARY KEY,
            source TEXT NOT NULL,
            name TEXT NOT NULL,
            kind TEXT,
            latitude_e7 INTEGER NOT NULL,
            longitude_e7 INTEGER NOT NULL,
            description TEXT,
            address TEXT,
            opening_hours TEXT,
            phone TEXT,
            website TEXT,
            time_zone TEXT NOT NULL
        ) STRICT, WITHOUT ROWID
        """
    ]
}
