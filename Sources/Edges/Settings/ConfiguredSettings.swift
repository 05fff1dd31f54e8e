public import Configuration

/// The settings of a part of the program, each declared where it is read.
public protocol ConfiguredSettings {
    init(_ reader: inout SettingsReader)
}

extension ConfiguredSettings {
    /// Reads the settings. Every key can be set in the configuration file, or as an environment
    /// variable: `a.bC` is `KITH_A_B_C`. `docs/configuration.md` describes each.
    ///
    /// - Throws: ``SettingsError`` with all invalid values.
    public init(_ config: ConfigReader) throws(SettingsError) {
        var reader = SettingsReader(config)
        self.init(&reader)
        try reader.check()
    }

    /// All keys, including those that are read only under a condition.
    public static var keys: Set<String> { listing.keys }

    /// The keys that take effect while the program runs. The others are read when it starts.
    public static var reloadableKeys: Set<String> { listing.reloadableKeys }

    private static var listing: SettingsReader {
        var reader = SettingsReader()
        _ = Self(&reader)
        return reader
    }
}
