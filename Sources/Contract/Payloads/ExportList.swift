/// A row of the table of what is exported as lists: a type of items, and the member of
/// `account.json` that lists them. Paths and fixes have files of their own.
public struct ExportList: Sendable {
    /// See ``ExportItem/type``.
    public let type: String
    /// The member of `account.json`.
    public let key: String
    /// The list for the person it is about: "your friends".
    public let words: String
    /// Whether it is read by itself and written as its items come, after all others; those are kept in
    /// memory until all of their items have come.
    public let isLong: Bool

    /// - Parameter key: nil: an `s` is added to the type.
    init(_ type: String, in key: String? = nil, isLong: Bool = false, _ words: String) {
        (self.type, self.key, self.isLong, self.words) = (type, key ?? type + "s", isLong, words)
    }

    public static let all: [ExportList] =
        [ExportList("device", "your devices")] + Area.all.flatMap(\.exports)

    /// The list of a type of items; nil for those that are in none.
    public static func of(_ type: String) -> ExportList? { byType[type] }

    private static let byType = Dictionary(all.map { ($0.type, $0) }) { first, _ in first }
}
