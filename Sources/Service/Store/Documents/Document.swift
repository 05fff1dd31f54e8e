import Contract
import JSON
import Tracking

/// Values that no query inspects are stored as JSON, each with its format version.
///
/// The format changes only with a new version; older ones are read as long as there may be
/// databases with them, and `Tests/StoreTests/Documents` has examples of each. Version 1 is the
/// format from before documents had a version.
enum Document {
    static let newest = 3

    // MARK: A person's saved state

    static func text(_ saved: SavedTracker) -> String {
        text { json in
            json.member(DocumentKey.tracker, saved.tracker) { $0.tracker($1) }
            json.members(DocumentKey.logs, saved.logs) { $0.deviceLog($1) }
            json.member(DocumentKey.usage, saved.usage) { $0.usage($1) }
        }
    }

    static func savedTracker(_ text: String) throws -> SavedTracker {
        let object = try object(text)
        return SavedTracker(
            tracker: try Tracker(object.object(DocumentKey.tracker)),
            logs: try object.objects(DocumentKey.logs) { try DeviceLog($0) },
            usage: try object.object(ifPresent: DocumentKey.usage) { try Usage($0) })
    }

    // MARK: An alert

    static func text(_ alert: Alert) -> String { text { $0.alertMembers(alert) } }

    static func alert(_ text: String) throws -> Alert { try Alert(object(text)) }

    // MARK: Versions

    static func text(_ body: (inout JSONWriter) -> Void) -> String {
        var json = JSONWriter(capacity: 1024)
        json.object { json in
            json.member(DocumentKey.version, Int64(newest))
            body(&json)
        }
        return String(decoding: json.bytes, as: UTF8.self)
    }

    /// Reads a document that was stored encrypted.
    ///
    /// - Parameter content: nil if no key opens it.
    /// - Returns: nil if it cannot be opened, or is damaged.
    static func opened<Value>(
        _ content: [UInt8]?, _ read: (String) throws -> Value
    ) throws(StoreError) -> Value? {
        guard let content else { return nil }
        do throws(StoreError) {
            return try StoreError.only { try read(String(decoding: content, as: UTF8.self)) }
        } catch  where error.operation == .decode {
            return nil
        }
    }

    static func object(_ text: String) throws -> DocumentObject {
        let value: JSONValue
        do {
            value = try JSONValue.parse(Array(text.utf8), isOurs: true)
        } catch {
            throw StoreError.damagedDocument
        }
        var version = 1
        if let found = value[DocumentKey.version.description] {
            guard let number = found.integer, number > 1 else { throw StoreError.damagedDocument }
            version = Int(number)
        }
        guard version <= newest else {
            throw StoreError(
                .migrate,
                reason: "it was made by a newer version of Kith (document \(version), "
                    + "this one reads up to \(newest))")
        }
        return try DocumentObject(value, version: version)
    }
}

extension StoreError {
    static let damagedDocument = StoreError(.decode, reason: "a document is damaged")
}
