internal import Contract
internal import JSON
internal import Tracking

extension ExportArchive {
    /// `{exportedAt,account,usage,…}`, and a member for each ``ExportList``.
    func writeAccount() async throws {
        var text = AccountText(at: now)
        try await source.eachAccountItem { item in
            text.add(item)
            if item.type == "reminder", let value = JSONValue(parsing: item.payload, isOurs: true) {
                reminders.add(value)
            }
            try await put(text.take())
        }
        text.end()
        try await put(text.take())
    }
}

/// `account.json`, written as the items come.
struct AccountText {
    /// The lists that are kept until all their items have come, and written before the long ones.
    private static let short = ExportList.all.filter { !$0.isLong }
    /// Their items come in this order.
    private static let long = ExportList.all.filter(\.isLong)

    private var kept: [String: [[UInt8]]] = [:]
    /// The number of long lists begun so far.
    private var begun = 0
    private var list = List()
    private var text: [UInt8] = []

    init(at now: Timestamp) { put("{\"exportedAt\":\"\(now.rfc3339)\"") }

    mutating func add(_ item: ExportItem) {
        guard let index = AccountText.long.firstIndex(where: { $0.type == item.type }) else {
            return kept[item.type, default: []].append(item.payload)
        }
        begin(index + 1)
        put(list.separator())
        text += item.payload
    }

    mutating func end() {
        begin(AccountText.long.count)
        put(list.end + "}\n")
    }

    mutating func take() -> [UInt8] {
        defer { text = [] }
        return text
    }

    private mutating func begin(_ count: Int) {
        if begun == 0 { writeShort() }
        while begun < count {
            put((begun == 0 ? "" : list.end) + ",\n\"\(AccountText.long[begun].key)\":")
            list = List()
            begun += 1
        }
    }

    private mutating func writeShort() {
        for type in ["account", "usage"] {
            put(",\n\"\(type)\":")
            text += kept[type]?.first ?? Array("null".utf8)
        }
        for row in AccountText.short {
            put(",\n\"\(row.key)\":")
            var list = List()
            for payload in kept[row.type] ?? [] {
                put(list.separator())
                text += payload
            }
            put(list.end)
        }
        kept = [:]
    }

    private mutating func put(_ text: String) { self.text += Array(text.utf8) }
}
