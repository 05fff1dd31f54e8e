/// The level and the format of the log.
public struct LogSettings: ConfiguredSettings, Sendable {
    /// How log lines are written.
    public enum Format: String, CaseIterable, Sendable {
        /// For people.
        case text
        /// One object per line, for programs.
        case json
    }

    /// The minimum importance of a line that is written.
    public enum Level: String, CaseIterable, Sendable {
        case debug, info, notice, warning, error, critical
    }

    public var format = Format.text
    public var level = Level.info

    public init(_ reader: inout SettingsReader) {
        format = reader.value("log.format", format, LogSettings.rule(Format.self)) {
            Format(rawValue: $0)
        }
        level = reader.value("log.level", level, LogSettings.rule(Level.self)) {
            Level(rawValue: $0)
        }
    }

    private static func rule<Value>(_ values: Value.Type) -> String
    where Value: CaseIterable & RawRepresentable<String> {
        let names = values.allCases.map(\.rawValue)
        return "must be \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
    }
}
