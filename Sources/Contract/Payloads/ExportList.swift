/// A row of the table of what is exported as lists: a type of items, and the member of
/// `account.json` that lists them. Paths and fixes have files of their own.
public struct ExportList: Sendable {
    /// See ``ExportItem/type``.
    public let type: String
    /// The member of `account.json`.
    public let key: String
    /// The list for the person it is about: "your friends".
    public let words: String
    /// Whether it is written as its items come, which is after all short lists and in the order of
    /// ``all``. The others are kept until then.
    public let isLong: Bool

    /// - Parameter key: nil: an `s` is added to the type.
    init(_ type: String, in key: String? = nil, isLong: Bool = false, _ words: String) {
        (self.type, self.key, self.isLong, self.words) = (type, key ?? type + "s", isLong, words)
    }

    public static let all: [ExportList] =
        [ExportList("device", "your devices")] + Area.all.flatMap(\.exports)
}
