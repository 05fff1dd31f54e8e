/// An operator's text about a time without service: one line.
public struct MaintenanceText: Hashable, Sendable {
    public let text: String

    /// Characters.
    public static let maximumLength = 300

    /// - Throws: the reason as the end of a sentence, "must …".
    public init(_ text: String) throws(DisplayName.Reason) {
        self.text = try DisplayName.checked(text, atMost: MaintenanceText.maximumLength)
    }
}

extension Kind where Value == MaintenanceText {
    static let maintenanceText = Kind.text(
        "one line of at most \(MaintenanceText.maximumLength) characters"
    ) { text throws(DisplayName.Reason) in try MaintenanceText(text) }
}
