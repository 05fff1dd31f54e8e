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

extension Fields {
    public mutating func maintenanceText(_ field: String) -> MaintenanceText? {
        guard let text = string(field) else { return nil }
        do {
            return try MaintenanceText(text)
        } catch {
            refuse(field, error.text)
            return nil
        }
    }
}
