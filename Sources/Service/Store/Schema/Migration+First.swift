extension Migration {
    static let first = Migration(
        number: 1,
        statements: [
            """
            CREATE TABLE users (
                id INTEGER PRIMARY KEY,
                name TEXT NOT NULL UNIQUE,
                display_name TEXT NOT NULL,
                first_name TEXT,
                last_name TEXT,
                email TEXT UNIQUE,
                password_hash TEXT,
                owntracks_publish_is TEXT NOT NULL CHECK (owntracks_publish_is IN ('fix', 'sos')),
                created_at_ms INTEGER NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE devices (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                name TEXT NOT NULL,
                speaks TEXT NOT NULL CHECK (speaks IN ('kith', 'owntracks')),
                token_hash BLOB,
                created_at_ms INTEGER NOT NULL,
                UNIQUE (user_id, name)
            ) STRICT
            """,
            // The bridge, the operator and the dispatch centre: principals without an account.
            """
            CREATE TABLE system_principals (
                name TEXT PRIMARY KEY,
                token_hash BLOB NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            // Principals with changed rights, for the gate, which reads new rows. The last row
            // stays, so that numbers are never reused.
            """
            CREATE TABLE access_changes (
                number INTEGER PRIMARY KEY,
                principal TEXT NOT NULL
            ) STRICT
            """,
            """
            CREATE TABLE groups (
                id INTEGER PRIMARY KEY,
                key TEXT NOT NULL UNIQUE,
                name TEXT NOT NULL,
                created_at_ms INTEGER NOT NULL
            ) STRICT
            """,
            // Numbered in the order of joining. A member sees the chat from the message chat_from
            // on; presence_message_id is the last message about the member coming online or going
            // offline.
            """
            CREATE TABLE memberships (
                id INTEGER PRIMARY KEY,
                group_id INTEGER NOT NULL REFERENCES groups (id),
                user_id INTEGER NOT NULL REFERENCES users (id),
                joined_at_ms INTEGER NOT NULL,
                chat_from TEXT,
                presence_message_id TEXT,
                UNIQUE (group_id, user_id)
            ) STRICT
            """,
            "CREATE INDEX memberships_by_user ON memberships (user_id)",
            // The tracking core's state of a user and the user's devices, up to the fix
            // through_fix_id; the rest is recomputed from later fixes.
            """
            CREATE TABLE trackers (
                user_id INTEGER PRIMARY KEY REFERENCES users (id),
                through_fix_id INTEGER NOT NULL,
                document TEXT NOT NULL
            ) STRICT
            """,
            // In order of arrival. A device's fixes are linked by previous_id; fix_runs is the
            // index into them. A fix without a position was deleted at the person's request: its
            // time stays, so that it is recognised when it is resent.
            """
            CREATE TABLE fixes (
                id INTEGER PRIMARY KEY,
                device_id INTEGER NOT NULL,
                previous_id INTEGER,
                taken_at_ms INTEGER NOT NULL,
                received_at_ms INTEGER NOT NULL,
                latitude_e7 INTEGER,
                longitude_e7 INTEGER,
                accuracy REAL,
                altitude REAL,
                altitude_accuracy REAL,
                heading REAL,
                speed REAL,
                battery REAL,
                seq INTEGER
            ) STRICT
            """,
            """
            CREATE TABLE fix_runs (
                device_id INTEGER NOT NULL,
                last_fix_id INTEGER NOT NULL,
                count INTEGER NOT NULL,
                earliest_taken_at_ms INTEGER NOT NULL,
                latest_taken_at_ms INTEGER NOT NULL,
                PRIMARY KEY (device_id, last_fix_id)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE paths (
                user_id INTEGER NOT NULL REFERENCES users (id),
                number INTEGER NOT NULL,
                mode TEXT NOT NULL CHECK (mode IN ('journey', 'sos')),
                started_at_ms INTEGER NOT NULL,
                ended_at_ms INTEGER,
                PRIMARY KEY (user_id, number)
            ) STRICT, WITHOUT ROWID
            """,
            // The groups that may see a path; a journey's rows are deleted when it ends.
            """
            CREATE TABLE path_groups (
                group_id INTEGER NOT NULL REFERENCES groups (id),
                user_id INTEGER NOT NULL,
                number INTEGER NOT NULL,
                PRIMARY KEY (group_id, user_id, number),
                FOREIGN KEY (user_id, number) REFERENCES paths (user_id, number)
            ) STRICT, WITHOUT ROWID
            """,
            // With positions of their own: a path may be kept longer than its fixes.
            """
            CREATE TABLE path_points (
                user_id INTEGER NOT NULL,
                number INTEGER NOT NULL,
                taken_at_ms INTEGER NOT NULL,
                fix_id INTEGER NOT NULL,
                latitude_e7 INTEGER NOT NULL,
                longitude_e7 INTEGER NOT NULL,
                PRIMARY KEY (user_id, number, taken_at_ms, fix_id),
                FOREIGN KEY (user_id, number) REFERENCES paths (user_id, number)
            ) STRICT, WITHOUT ROWID
            """,
            """
            CREATE TABLE alerts (
                id TEXT PRIMARY KEY,
                group_id INTEGER NOT NULL REFERENCES groups (id),
                user_id INTEGER NOT NULL REFERENCES users (id),
                document TEXT NOT NULL
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX alerts_by_group ON alerts (group_id, id)",
            "CREATE INDEX alerts_by_user ON alerts (user_id)",
            """
            CREATE TABLE acknowledgements (
                alert_id TEXT NOT NULL REFERENCES alerts (id),
                user_id INTEGER NOT NULL REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                PRIMARY KEY (alert_id, user_id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX acknowledgements_by_user ON acknowledgements (user_id)",
            // Ordered by id. Without user_id if the account was deleted.
            """
            CREATE TABLE chat_messages (
                id TEXT PRIMARY KEY,
                group_id INTEGER NOT NULL REFERENCES groups (id),
                user_id INTEGER REFERENCES users (id),
                kind TEXT NOT NULL CHECK (
                    kind IN ('message', 'joined', 'left', 'online', 'offline', 'renamed')),
                text TEXT,
                at_ms INTEGER NOT NULL
            ) STRICT
            """,
            // The greatest id assigned, as its message may have been deleted since.
            """
            CREATE TABLE chat_order (
                only INTEGER PRIMARY KEY CHECK (only = 1),
                last_id TEXT NOT NULL
            ) STRICT
            """,
            "CREATE INDEX chat_messages_by_group ON chat_messages (group_id, id)",
            "CREATE INDEX chat_messages_by_user ON chat_messages (user_id, kind, id)",
            "CREATE INDEX chat_messages_by_time ON chat_messages (at_ms)",
            // Messages that must not be lost, until the broker has confirmed them.
            """
            CREATE TABLE outbox (
                id INTEGER PRIMARY KEY,
                topic TEXT NOT NULL,
                payload BLOB NOT NULL,
                correlation_data BLOB
            ) STRICT
            """,
            // The answer to a request, for repetitions.
            """
            CREATE TABLE replies (
                device_id INTEGER NOT NULL,
                request TEXT NOT NULL,
                payload BLOB NOT NULL,
                at_ms INTEGER NOT NULL,
                PRIMARY KEY (device_id, request)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX replies_by_time ON replies (at_ms)",
            // Fixes of deleted accounts, deleted step by step: next_fix_id is the newest fix left
            // of a deleted device.
            """
            CREATE TABLE erasures (
                device_id INTEGER PRIMARY KEY,
                next_fix_id INTEGER NOT NULL
            ) STRICT
            """,
            // Requests of the operator's commands to the running bridge.
            """
            CREATE TABLE operator_requests (
                id INTEGER PRIMARY KEY,
                request TEXT NOT NULL,
                reply TEXT,
                at_ms INTEGER NOT NULL
            ) STRICT
            """,
            // The people on a user's list, and since when the friend may see the user's position.
            """
            CREATE TABLE friends (
                user_id INTEGER NOT NULL REFERENCES users (id),
                friend_id INTEGER NOT NULL REFERENCES users (id),
                added_at_ms INTEGER NOT NULL,
                shared_since_ms INTEGER,
                PRIMARY KEY (user_id, friend_id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX friends_by_friend ON friends (friend_id, shared_since_ms)",
            // The people whom a user has blocked, and who must not see the user's data.
            """
            CREATE TABLE blocks (
                user_id INTEGER NOT NULL REFERENCES users (id),
                blocked_id INTEGER NOT NULL REFERENCES users (id),
                at_ms INTEGER NOT NULL,
                PRIMARY KEY (user_id, blocked_id)
            ) STRICT, WITHOUT ROWID
            """,
            "CREATE INDEX blocks_by_blocked ON blocks (blocked_id)",
        ])
}
