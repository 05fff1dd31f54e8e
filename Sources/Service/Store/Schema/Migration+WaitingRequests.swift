extension Migration {
    /// Requests that were received from the broker and are handled by a later turn, in order of
    /// arrival: the required parts of the message, and when it was received.
    static let waitingRequests = Migration(
        number: 3,
        statements: [
            """
            CREATE TABLE waiting_requests (
                id INTEGER PRIMARY KEY,
                user_id INTEGER NOT NULL REFERENCES users (id),
                device_id INTEGER NOT NULL REFERENCES devices (id),
                method TEXT NOT NULL,
                payload BLOB NOT NULL,
                response_topic TEXT,
                correlation_data BLOB,
                packet_id INTEGER NOT NULL,
                received_at_ms INTEGER NOT NULL,
                listening_since_ms INTEGER NOT NULL
            ) STRICT
            """,
            "CREATE INDEX waiting_requests_by_user ON waiting_requests (user_id)",
            "CREATE INDEX waiting_requests_by_device ON waiting_requests (device_id)",
        ])
}
