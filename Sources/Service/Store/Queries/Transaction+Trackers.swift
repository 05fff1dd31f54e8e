public import Tracking

/// A user's in-memory state, as saved now and then.
public struct SavedTracker: Sendable {
    public var tracker: Tracker
    public var logs: [DeviceLog]
    /// Nil if it was saved before there were quotas.
    public var usage: Usage?

    public init(tracker: Tracker, logs: [DeviceLog], usage: Usage? = nil) {
        self.tracker = tracker
        self.logs = logs
        self.usage = usage
    }
}

extension Transaction {
    /// - Parameter fix: the last fix taken into account.
    public func save(_ saved: SavedTracker, through fix: FixID) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO trackers (user_id, through_fix_id, document) VALUES (?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET
                through_fix_id = excluded.through_fix_id, document = excluded.document
            """,
            [SQLValue(saved.tracker.user), SQLValue(fix), .text(Document.text(saved))])
    }

    public func trackers(_ body: (SavedTracker, FixID) throws -> Void) throws(StoreError) {
        try each(
            "SELECT through_fix_id, document FROM trackers ORDER BY user_id", []
        ) { row in
            try body(
                try Document.savedTracker(try row.text(1)), FixID(rawValue: try row.integer(0)))
        }
    }
}
