extension Migration {
    /// Cohorts: members, counts and answers; the log of access; and indexes for finding expired
    /// rows.
    static let cohorts = Migration(
        number: 17,
        statements: [
            // Numbers are never reused. `deleted_at_ms`: when the person last deleted something;
            // data read before that is not stored.
            """
            CREATE TABLE cohort_people (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                user_id INTEGER NOT NULL UNIQUE REFERENCES users (id),
                deleted_at_ms INTEGER
            ) STRICT
            """,
            // A person's days, hour by hour (DaySummary); `vitals` is opened by the key with that
            // number.
            """
            CREATE TABLE cohort_days (
                user_id INTEGER NOT NULL REFERENCES users (id),
                day INTEGER NOT NULL,
                positions BLOB,
                vitals BLOB,
                key_id INTEGER,
                PRIMARY KEY (user_id, day)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX cohort_days_by_age ON cohort_days (day)",
            "CREATE INDEX cohort_days_with_vitals ON cohort_days (day) WHERE vitals IS NOT NULL",
            "CREATE INDEX cohort_days_with_positions ON cohort_days (day) WHERE positions IS NOT NULL",
            "CREATE INDEX cohort_days_by_key ON cohort_days (key_id)",
            // The last complete hour since the epoch; one row.
            """
            CREATE TABLE cohort_progress (
                id INTEGER PRIMARY KEY CHECK (id = 1),
                complete_hour INTEGER NOT NULL
            ) STRICT
            """,
            // `cost` in thousandths of epsilon; `requester_id`: a company, as long as it exists.
            """
            CREATE TABLE cohort_answers (
                id INTEGER PRIMARY KEY AUTOINCREMENT,
                requester_id INTEGER,
                filter TEXT NOT NULL,
                from_hour INTEGER NOT NULL,
                to_hour INTEGER NOT NULL,
                cost INTEGER NOT NULL,
                answer TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX cohort_answers_by_end ON cohort_answers (to_hour)",
            "CREATE INDEX cohort_answers_of_requester ON cohort_answers (requester_id)",
            // The contributors to each part of an answer, one bit per member number.
            """
            CREATE TABLE cohort_contributors (
                answer_id INTEGER NOT NULL REFERENCES cohort_answers (id),
                part TEXT NOT NULL,
                numbers BLOB NOT NULL,
                PRIMARY KEY (answer_id, part)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE cohort_subscriptions (
                id TEXT PRIMARY KEY,
                service_id INTEGER NOT NULL REFERENCES users (id),
                filter TEXT NOT NULL,
                next_hour INTEGER NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX cohort_subscriptions_of_service ON cohort_subscriptions (service_id)",
            """
            CREATE TABLE cohort_refusals (
                id INTEGER PRIMARY KEY,
                requester_id INTEGER NOT NULL REFERENCES users (id),
                at_ms INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX cohort_refusals_of_requester ON cohort_refusals (requester_id, at_ms)",
        ] + accessLog + [
            """
            CREATE INDEX service_consents_over ON service_consents (ended_at_ms)
                WHERE ended_at_ms IS NOT NULL
            """,
            """
            CREATE INDEX data_requests_over ON data_requests (answered_at_ms)
                WHERE answered_at_ms IS NOT NULL
            """,
        ])
}
