internal import Contract
internal import JSON
internal import Tracking

extension ExportArchive {
    /// `{exportedAt,account,usage,…}`, and a member for each ``ExportList``: the short ones first.
    func writeAccount() async throws {
        var text = AccountText(at: now)
        try await source.eachAccountItem { item in
            text.keep(item)
            if item.type == "reminder", let value = JSONValue(parsing: item.payload, isOurs: true) {
                reminders.add(value)
            }
        }
        try text.writeKept()
        for list in ExportList.all where list.isLong {
            text.begin(list)
            try await source.eachItem(of: list) { item in
                try text.add(item)
                try await put(text.take())
            }
            text.end(list)
        }
        text.end()
        try await put(text.take())
    }
}

/// `account.json`, written as the items arrive.
struct AccountText {
    private static let single = ["account", "usage"]

    /// By type, in any order of arrival.
    private var kept: [String: [[UInt8]]] = [:]
    private var list = (type: "", text: List())
    private var text: [UInt8] = []

    init(at now: Timestamp) { put("{\"exportedAt\":\"\(now.rfc3339)\"") }

    /// Keeps an item that is not part of a long list.
    mutating func keep(_ item: ExportItem) { kept[item.type, default: []].append(item.payload) }

    /// Writes the kept items, and all lists that are not long.
    ///
    /// - Throws: ``UnlistedItem`` if an item belongs nowhere.
    mutating func writeKept() throws(UnlistedItem) {
        for type in AccountText.single {
            put(",\n\"\(type)\":")
            text += kept.removeValue(forKey: type)?.first ?? Array("null".utf8)
        }
        for row in ExportList.all where !row.isLong {
            begin(row)
            for payload in kept.removeValue(forKey: row.type) ?? [] { append(payload) }
            end(row)
        }
        if let type = kept.keys.min() { throw UnlistedItem(type: type) }
    }

    mutating func begin(_ row: ExportList) {
        put(",\n\"\(row.key)\":")
        list = (row.type, List())
    }

    /// Writes an item of the list that has begun.
    mutating func add(_ item: ExportItem) throws(UnlistedItem) {
        guard item.type == list.type else { throw UnlistedItem(type: item.type) }
        append(item.payload)
    }

    mutating func end(_ row: ExportList) { put(list.text.end) }

    mutating func end() { put("}\n") }

    mutating func take() -> [UInt8] {
        defer { text = [] }
        return text
    }

    private mutating func append(_ payload: [UInt8]) {
        put(list.text.separator())
        text += payload
    }

    private mutating func put(_ text: String) { self.text += Array(text.utf8) }
}

/// An item for which an archive has no place: the archive would not be complete.
public struct UnlistedItem: Error, CustomStringConvertible {
    public let type: String

    public var description: String { "An archive has no place for items of the type \(type)." }
}
