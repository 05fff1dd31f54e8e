internal import Contract
public import Tracking

/// What memory knows of a user, as it is saved now and then.
public struct SavedTracker: Codable, Sendable {
    public var tracker: Tracker
    public var logs: [DeviceLog]
    /// Nil where it was saved before there were quotas.
    public var usage: Usage?

    public init(tracker: Tracker, logs: [DeviceLog], usage: Usage? = nil) {
        self.tracker = tracker
        self.logs = logs
        self.usage = usage
    }
}

extension Transaction {
    /// - Parameter fix: the last one that it takes into account.
    public func save(_ saved: SavedTracker, through fix: FixID) throws(StoreError) {
        try driver.execute(
            """
            INSERT INTO trackers (user_id, through_fix_id, document) VALUES (?, ?, ?)
            ON CONFLICT (user_id) DO UPDATE SET
                through_fix_id = excluded.through_fix_id, document = excluded.document
            """,
            [SQLValue(saved.tracker.user), SQLValue(fix), .text(try Document.encode(saved))])
    }

    public func trackers(_ body: (SavedTracker, FixID) throws(StoreError) -> Void)
        throws(StoreError)
    {
        try driver.query(
            "SELECT through_fix_id, document FROM trackers ORDER BY user_id", []
        ) { row throws(StoreError) in
            try body(try Document.decode(try row.text(1)), FixID(rawValue: try row.integer(0)))
        }
    }
}

/// Values that no query looks into are kept as JSON.
enum Document {
    static func encode(_ value: some Encodable) throws(StoreError) -> String {
        do {
            var json = JSONWriter(capacity: 1024)
            json.value(try JSONValue(encoding: value))
            return String(decoding: json.bytes, as: UTF8.self)
        } catch {
            throw StoreError(.execute, reason: "a document could not be written")
        }
    }

    static func decode<Value: Decodable>(_ text: String) throws(StoreError) -> Value {
        do {
            return try JSONValue.parse(Array(text.utf8)).decode()
        } catch {
            throw StoreError(.decode, reason: "a document is damaged")
        }
    }
}
