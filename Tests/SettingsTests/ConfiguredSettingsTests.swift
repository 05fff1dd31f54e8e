import Testing

@testable import Settings

/// The keys of settings, found out by reading them without a configuration.
struct ConfiguredSettingsTests {
    private struct Example: ConfiguredSettings {
        init(_ reader: inout SettingsReader) {
            _ = reader.integer("a", 1, 1...2)
            _ = reader.reloadable { $0.bool("b", true) }
            _ = reader.part(0) { reader throws(SettingsError) in
                try reader.part(ifPresent: "c") { _, reader throws(SettingsError) in
                    try reader.require(Example.isInstalled(), "c needs a library.")
                    return reader.integer("c.d", 1, 1...2)
                } ?? 0
            }
            _ = reader.part(ifTrue: "e") { $0.integer("e.f", 1, 1...2) }
        }

        private static func isInstalled() -> Bool {
            Issue.record("A condition was evaluated.")
            return false
        }
    }

    @Test func `Keys include those read under a condition, which is not evaluated`() {
        #expect(Example.keys == ["a", "b", "c", "c.d", "e", "e.f"])
        #expect(Example.reloadableKeys == ["b"])
    }
}
