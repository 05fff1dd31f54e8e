/// A row of the table of exported lists: an item type, and the member of `account.json` that lists
/// the items. Paths and fixes have their own files.
public struct ExportList: Sendable {
    /// See ``ExportItem/type``.
    public let type: String
    /// The member of `account.json`.
    public let key: String
    /// The list's description for its subject: "your friends".
    public let words: String
    /// Whether it is read separately and written as its items arrive, after all others; the others
    /// are kept in memory until complete.
    public let isLong: Bool

    /// - Parameter key: nil: an `s` is added to the type.
    init(_ type: String, in key: String? = nil, isLong: Bool = false, _ words: String) {
        (self.type, self.key, self.isLong, self.words) = (type, key ?? type + "s", isLong, words)
    }

    public static let all: [ExportList] =
        [ExportList("device", "your devices")] + Area.all.flatMap(\.exports)

    /// The list of an item type; nil for types without a list.
    public static func of(_ type: String) -> ExportList? { byType[type] }

    private static let byType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
}
