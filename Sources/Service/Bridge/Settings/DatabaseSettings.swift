public import Settings

/// The database alone, for commands that need nothing else of the configuration.
public struct DatabaseSettings: ConfiguredSettings, Sendable {
    /// See ``BridgeSettings/databaseServer``.
    public let server: String?

    public init(_ reader: inout SettingsReader) { server = reader.databaseServer() }

    /// Whether the text is a connection URI of PostgreSQL.
    public static func isServer(_ text: String) -> Bool {
        ["postgresql://", "postgres://"].contains(where: text.hasPrefix)
    }
}

extension SettingsReader {
    mutating func databaseServer() -> String? {
        let rule = "must be a connection URI of PostgreSQL, as postgresql://kith@db.example/kith"
        return value("database", nil, rule, isSecret: true) {
            DatabaseSettings.isServer($0) ? .some(.some($0)) : nil
        }
    }
}
